#!/bin/sh
# Installs helve, or another version of it, from a release:
#
#   curl -fsSL https://github.com/helve-dev/helve/releases/latest/download/install.sh | sh
#   sh install.sh --version 1.2.3 --dir /usr/local/bin
#
# It takes the archive of this platform and the list of checksums, refuses an archive of
# another checksum, and checks who signed the list if cosign, or else gh, is there. The
# program replaces the one that is there in one step. Manual pages and completions go to
# the directory share beside DIR, if DIR is named bin, else to ~/.local/share.
set -eu

usage='usage: install.sh [--version VERSION] [--dir DIR] [--base URL] [--require-signature] [--no-extras] [--help]

  --version VERSION    release to install, such as 1.2.3 (HELVE_VERSION; default: the latest)
  --dir DIR            directory of the program (HELVE_INSTALL_DIR; default: ~/.local/bin)
  --base URL           where releases are (HELVE_INSTALL_BASE; default: https://github.com/helve-dev/helve/releases)
  --require-signature  refuse a release whose signature cannot be checked (HELVE_REQUIRE_SIGNATURE=1)
  --no-extras          install neither manual pages nor completions'

# Who may sign a release: the workflow that makes it, for a tag.
issuer=https://token.actions.githubusercontent.com
signer='^https://github\.com/helve-dev/helve/\.github/workflows/release\.yml@refs/tags/v[0-9]'
repository=helve-dev/helve

say() { printf '%s\n' "$*" >&2; }
fail() {
  say "install.sh: $*"
  exit 1
}
have() { command -v "$1" >/dev/null 2>&1; }

# options sets what was asked for.
options() {
  version=${HELVE_VERSION:-} dir=${HELVE_INSTALL_DIR:-}
  base=${HELVE_INSTALL_BASE:-https://github.com/helve-dev/helve/releases}
  require=${HELVE_REQUIRE_SIGNATURE:-0} extras=1
  while [ $# -gt 0 ]; do
    case $1 in
      --version | --dir | --base)
        [ $# -ge 2 ] || fail "$1 needs a value"
        case $1 in
          --version) version=$2 ;;
          --dir) dir=$2 ;;
          --base) base=$2 ;;
        esac
        shift
        ;;
      --version=*) version=${1#*=} ;;
      --dir=*) dir=${1#*=} ;;
      --base=*) base=${1#*=} ;;
      --require-signature) require=1 ;;
      --no-extras) extras=0 ;;
      -h | --help)
        printf '%s\n' "$usage"
        exit 0
        ;;
      *)
        say "$usage"
        fail "unknown argument $1"
        ;;
    esac
    shift
  done
  if [ -z "$dir" ]; then
    [ -n "${HOME:-}" ] || fail "HOME is not set: name a directory with --dir"
    dir=$HOME/.local/bin
  fi
  case $dir in
    /*) ;;
    *) dir=$PWD/$dir ;;
  esac
  dir=${dir%/} base=${base%/} version=${version#v}
  case $version in
    *[!0-9A-Za-z.+-]*) fail "$version is no version" ;;
  esac
}

# platform sets the names of this system and processor, as releases have them.
platform() {
  case $(uname -s) in
    Linux) system=linux ;;
    Darwin) system=darwin ;;
    *) fail "there is no release for $(uname -s); on Windows use install.ps1" ;;
  esac
  case $(uname -m) in
    x86_64 | amd64) machine=amd64 ;;
    aarch64 | arm64) machine=arm64 ;;
    *) fail "there is no release for the processor $(uname -m); for riscv64 Go builds it, and commands have no sandbox there: go install github.com/helve-dev/helve@latest" ;;
  esac
  # A program of the other processor says that it runs on that one.
  if [ "$system/$machine" = darwin/amd64 ] && [ "$(sysctl -n sysctl.proc_translated 2>/dev/null || :)" = 1 ]; then
    machine=arm64
  fi
}

# download ADDRESS FILE. Addresses of the web are asked for with TLS only, redirects as well.
download() {
  case $base in
    https://*) only='=https' ;;
    *) only='=http,https' ;;
  esac
  if have curl; then
    curl --fail --silent --show-error --location --proto "$only" --proto-redir "$only" --retry 3 --output "$2" "$1"
  elif have wget; then
    wget -q -O "$2" "$1"
  else
    fail "curl or wget is needed"
  fi
}

# checksum FILE prints its SHA-256.
checksum() {
  if have sha256sum; then
    sha256sum <"$1" | cut -d ' ' -f 1
  elif have shasum; then
    shasum -a 256 <"$1" | cut -d ' ' -f 1
  elif have openssl; then
    openssl dgst -sha256 -r <"$1" | cut -d ' ' -f 1
  else
    fail "sha256sum, shasum or openssl is needed"
  fi
}

# find_archive sets the archive of this platform and its checksum, from the list.
find_archive() {
  suffix=_${system}_$machine.tar.gz
  set -- "$(sed -n "s/^\\([0-9a-f]\\{64\\}\\) [ *]\\(helve_[0-9A-Za-z.+-][0-9A-Za-z.+-]*_${system}_$machine\\.tar\\.gz\\)\$/\\1 \\2/p" "$work/checksums.txt")"
  case $1 in
    '') fail "the release has no archive for $system/$machine" ;;
    *"
"*) fail "the release has several archives for $system/$machine" ;;
  esac
  wanted=${1% *} archive=${1#* }
  found=${archive#helve_} found=${found%"$suffix"}
  if [ -n "$version" ] && [ "$found" != "$version" ]; then
    fail "asked for $version, the release is $found"
  fi
}

# signature checks who signed the list of checksums. A wrong signature is refused; one that
# cannot be checked is said, or refused with --require-signature.
signature() {
  if have cosign; then
    if download "$1/checksums.txt.sigstore.json" "$work/bundle.json"; then
      cosign verify-blob --bundle "$work/bundle.json" --certificate-oidc-issuer "$issuer" \
        --certificate-identity-regexp "$signer" "$work/checksums.txt" >"$work/cosign" 2>&1 ||
        { cat "$work/cosign" >&2; fail "the signature of the checksums is not that of a release: nothing was installed"; }
      say "signature: of the release workflow, by cosign"
      return
    fi
    why="the release has none"
  elif have gh && gh auth status >/dev/null 2>&1; then
    gh attestation verify "$work/$archive" --repo "$repository" --signer-workflow "$repository/.github/workflows/release.yml" >"$work/gh" 2>&1 ||
      { cat "$work/gh" >&2; fail "the attestation of $archive is not that of a release: nothing was installed"; }
    say "signature: of the release workflow, by gh attestation"
    return
  else
    why="neither cosign nor gh (logged in) is there"
  fi
  [ "$require" != 1 ] || fail "the signature cannot be checked: $why; nothing was installed"
  say "signature: not checked, as $why"
}

# place FILE TARGET MODE puts a file at its place in one step: who opens the target finds
# the old one or the new one, and a program that runs keeps its own.
place() {
  mkdir -p "${2%/*}" || fail "${2%/*} cannot be made; name another directory with --dir"
  half=${2%/*}/.${2##*/}.$$
  if ! { cp "$1" "$half" && chmod "$3" "$half" && mv -f "$half" "$2"; }; then
    fail "$2 cannot be written; name another directory with --dir"
  fi
  half=''
}

# share places manual pages and completions where shells and man look for them.
share() {
  case $dir in
    */bin) shared=${dir%/bin}/share ;;
    *) shared=${XDG_DATA_HOME:-${HOME:-$dir}/.local/share} ;;
  esac
  for page in "$work"/tree/man/*.gz; do
    section=${page%.gz}
    place "$page" "$shared/man/man${section##*.}/${page##*/}" 644
  done
  place "$work/tree/completions/helve.bash" "$shared/bash-completion/completions/helve" 644
  place "$work/tree/completions/helve.zsh" "$shared/zsh/site-functions/_helve" 644
  place "$work/tree/completions/helve.fish" "$shared/fish/vendor_completions.d/helve.fish" 644
}

main() {
  options "$@"
  platform
  half='' work=$(mktemp -d)
  trap 'rm -rf "$work" ${half:+"$half"}' EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM HUP
  if [ -n "$version" ]; then
    from=$base/download/v$version
  else
    from=$base/latest/download
  fi
  download "$from/checksums.txt" "$work/checksums.txt" || fail "there is no release at $from"
  find_archive
  download "$from/$archive" "$work/$archive" || fail "$archive cannot be downloaded"
  is=$(checksum "$work/$archive")
  [ "$is" = "$wanted" ] ||
    fail "$archive has the checksum $is, and should have $wanted: nothing was installed"
  signature "$from"
  mkdir "$work/tree"
  tar -xzf "$work/$archive" -C "$work/tree" || fail "$archive cannot be unpacked: nothing was installed"
  # It runs here, and is what it is called, before it replaces one that does.
  chmod 755 "$work/tree/helve"
  ran=$("$work/tree/helve" version -o json </dev/null) || fail "the program does not run here: nothing was installed"
  case $ran in
    *"\"version\":\"$found\""*) ;;
    *) fail "the program says that it is not $found: nothing was installed" ;;
  esac
  [ "$extras" = 0 ] || share
  place "$work/tree/helve" "$dir/helve" 755
  say "helve $found is in $dir"
  case :$PATH: in
    *:"$dir":*) ;;
    *) say "$dir is not in PATH; add to your shell's profile: export PATH=\"$dir:\$PATH\"" ;;
  esac
  shell=${SHELL:-}
  if [ "$extras" = 1 ] && [ "${shell##*/}" = zsh ] && [ "$shared" != /usr/local/share ] && [ "$shared" != /usr/share ]; then
    say "for completion in zsh, before compinit: fpath=($shared/zsh/site-functions \$fpath)"
  fi
}

# The whole script is read before any of it runs.
main "$@"
