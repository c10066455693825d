<#
.SYNOPSIS
Installs helve, or another version of it, from a release.

.DESCRIPTION
  irm https://github.com/helve-dev/helve/releases/latest/download/install.ps1 | iex
  .\install.ps1 -Version 1.2.3 -Dir C:\Tools\helve

It takes the archive of this processor and the list of checksums, refuses an archive of
another checksum, and checks who signed the list if cosign, or else gh, is there. The
program replaces the one that is there in one step.

.PARAMETER Version
Release to install, such as 1.2.3 (HELVE_VERSION; default: the latest).
.PARAMETER Dir
Directory of the program (HELVE_INSTALL_DIR; default: %LOCALAPPDATA%\Programs\helve).
.PARAMETER Base
Where releases are (HELVE_INSTALL_BASE; default: https://github.com/helve-dev/helve/releases).
.PARAMETER RequireSignature
Refuse a release whose signature cannot be checked (HELVE_REQUIRE_SIGNATURE=1).
.PARAMETER NoPath
Leave the person's PATH as it is.
#>
[CmdletBinding()]
param(
    [string]$Version = $env:HELVE_VERSION,
    [string]$Dir = $env:HELVE_INSTALL_DIR,
    [string]$Base = $env:HELVE_INSTALL_BASE,
    [switch]$RequireSignature = ($env:HELVE_REQUIRE_SIGNATURE -eq '1'),
    [switch]$NoPath
)

# In a scope of its own: with "iex", what is set here would be set for the whole session.
& {
    param([string]$Version, [string]$Dir, [string]$Base, [bool]$RequireSignature, [bool]$NoPath)
    $ErrorActionPreference = 'Stop'
    $ProgressPreference = 'SilentlyContinue' # drawing it takes longer than the download
    [Net.ServicePointManager]::SecurityProtocol = [Net.ServicePointManager]::SecurityProtocol -bor [Net.SecurityProtocolType]::Tls12

    # Who may sign a release: the workflow that makes it, for a tag.
    $issuer = 'https://token.actions.githubusercontent.com'
    $signer = '^https://github\.com/helve-dev/helve/\.github/workflows/release\.yml@refs/tags/v[0-9]'
    $repository = 'helve-dev/helve'

    if (-not $Base) { $Base = 'https://github.com/helve-dev/helve/releases' }
    if (-not $Dir) { $Dir = Join-Path $env:LOCALAPPDATA 'Programs\helve' }
    $Base = $Base.TrimEnd('/')
    $Dir = $ExecutionContext.SessionState.Path.GetUnresolvedProviderPathFromPSPath($Dir)
    $Version = $Version -replace '^v', ''
    if ($Version -and $Version -notmatch '^[0-9A-Za-z.+-]+$') { throw "install.ps1: $Version is no version" }

    # A 32-bit PowerShell on a 64-bit Windows has the processor in the other variable.
    $processor = if ($env:PROCESSOR_ARCHITEW6432) { $env:PROCESSOR_ARCHITEW6432 } else { $env:PROCESSOR_ARCHITECTURE }
    $machine = switch ($processor) {
        'AMD64' { 'amd64' }
        'ARM64' { 'arm64' }
        default { throw "install.ps1: there is no release for the processor $processor" }
    }

    function Save([string]$Name, [string]$File) {
        Invoke-WebRequest -UseBasicParsing -Uri "$from/$Name" -OutFile $File
    }

    $from = if ($Version) { "$Base/download/v$Version" } else { "$Base/latest/download" }
    $work = Join-Path ([IO.Path]::GetTempPath()) ("helve-" + [Guid]::NewGuid())
    $half = Join-Path $Dir ".helve-$PID.exe"
    New-Item -ItemType Directory -Path $work | Out-Null
    try {
        $list = Join-Path $work 'checksums.txt'
        try { Save 'checksums.txt' $list } catch { throw "install.ps1: there is no release at ${from}: $_" }
        $pattern = "^([0-9a-f]{64}) [ *]helve_([0-9A-Za-z.+-]+)_windows_$machine\.zip$"
        $found = @(Get-Content -LiteralPath $list | Where-Object { $_ -cmatch $pattern })
        if ($found.Count -ne 1) { throw "install.ps1: the release has $($found.Count) archives for windows/$machine" }
        [void]($found[0] -cmatch $pattern)
        $wanted, $released = $Matches[1], $Matches[2]
        if ($Version -and $Version -cne $released) { throw "install.ps1: asked for $Version, the release is $released" }

        $name = "helve_${released}_windows_$machine.zip"
        $archive = Join-Path $work $name
        Save $name $archive
        $is = (Get-FileHash -Algorithm SHA256 -LiteralPath $archive).Hash.ToLowerInvariant()
        if ($is -cne $wanted) { throw "install.ps1: $name has the checksum $is, and should have ${wanted}: nothing was installed" }

        # A wrong signature is refused; one that cannot be checked is said. What these
        # programs write to standard error is no error in itself.
        $why = $null
        $ErrorActionPreference = 'Continue'
        if (Get-Command cosign -CommandType Application -ErrorAction SilentlyContinue) {
            $bundle = Join-Path $work 'bundle.json'
            try { Save 'checksums.txt.sigstore.json' $bundle } catch { $why = 'the release has none' }
            if (-not $why) {
                $said = & cosign verify-blob --bundle $bundle --certificate-oidc-issuer $issuer --certificate-identity-regexp $signer $list 2>&1
                if ($LASTEXITCODE -ne 0) { throw "install.ps1: the signature of the checksums is not that of a release: nothing was installed: $said" }
                Write-Host 'signature: of the release workflow, by cosign'
            }
        } else {
            $why = 'neither cosign nor gh (logged in) is there'
            if (Get-Command gh -CommandType Application -ErrorAction SilentlyContinue) {
                & gh auth status *> $null
                if ($LASTEXITCODE -eq 0) {
                    $why = $null
                    $said = & gh attestation verify $archive --repo $repository --signer-workflow "$repository/.github/workflows/release.yml" 2>&1
                    if ($LASTEXITCODE -ne 0) { throw "install.ps1: the attestation of $name is not that of a release: nothing was installed: $said" }
                    Write-Host 'signature: of the release workflow, by gh attestation'
                }
            }
        }
        $ErrorActionPreference = 'Stop'
        if ($why -and $RequireSignature) { throw "install.ps1: the signature cannot be checked: $why; nothing was installed" }
        if ($why) { Write-Host "signature: not checked, as $why" }

        Expand-Archive -LiteralPath $archive -DestinationPath (Join-Path $work 'tree')
        $program = Join-Path $work 'tree\helve.exe'
        # It runs here, and is what it is called, before it replaces one that does.
        $ran = ('' | & $program version -o json) -join ''
        if ($LASTEXITCODE -ne 0 -or -not $ran.Contains("`"version`":`"$released`"")) {
            throw "install.ps1: the program does not run here as ${released}: nothing was installed"
        }

        # Windows keeps the file of a program that runs from being replaced, but not from
        # being renamed.
        New-Item -ItemType Directory -Force -Path $Dir | Out-Null
        $target = Join-Path $Dir 'helve.exe'
        $old = "$target.old"
        Copy-Item -LiteralPath $program -Destination $half
        if (Test-Path -LiteralPath $old) { Remove-Item -LiteralPath $old -Force -ErrorAction SilentlyContinue }
        if (Test-Path -LiteralPath $target) {
            # In one step; the old program stays beside the new one until it has ended.
            [IO.File]::Replace($half, $target, $old)
            Remove-Item -LiteralPath $old -Force -ErrorAction SilentlyContinue
        } else {
            [IO.File]::Move($half, $target)
        }
        $completion = Join-Path $Dir 'helve.ps1'
        Copy-Item -LiteralPath (Join-Path $work 'tree\completions\helve.ps1') -Destination $completion -Force
        Write-Host "helve $released is in $Dir"

        # As it is written there, with variables that are not expanded. Setting a variable of
        # the person, as below, tells the programs that run to read them anew.
        $key = [Microsoft.Win32.Registry]::CurrentUser.OpenSubKey('Environment', $true)
        $personal = [string]$key.GetValue('Path', '', [Microsoft.Win32.RegistryValueOptions]::DoNotExpandEnvironmentNames)
        if (-not $NoPath -and @($personal -split ';' | Where-Object { $_.TrimEnd('\') -eq $Dir.TrimEnd('\') }).Count -eq 0) {
            $key.SetValue('Path', (@($personal, $Dir) | Where-Object { $_ }) -join ';', [Microsoft.Win32.RegistryValueKind]::ExpandString)
            [Environment]::SetEnvironmentVariable('HELVE_INSTALLER', '1', 'User')
            [Environment]::SetEnvironmentVariable('HELVE_INSTALLER', $null, 'User')
            $env:Path = "$env:Path;$Dir"
            Write-Host "$Dir was added to your PATH; shells that run already do not know it yet"
        }
        $key.Close()
        Write-Host "for completion, add to your `$PROFILE: . '$($completion -replace "'", "''")'"
    } finally {
        Remove-Item -LiteralPath $half -Force -ErrorAction SilentlyContinue
        Remove-Item -LiteralPath $work -Recurse -Force -ErrorAction SilentlyContinue
    }
} -Version $Version -Dir $Dir -Base $Base -RequireSignature $RequireSignature.IsPresent -NoPath $NoPath.IsPresent
