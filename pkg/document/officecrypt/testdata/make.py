# Makes the encrypted files here with msoffcrypto-tool 6.1.0 and xlwt 1.3.0, of plain.xlsx:
# python make.py. LibreOffice's are made by hand; see README.md.
import io, os, struct
from unittest import mock

import xlwt
from cryptography.hazmat.decrepit.ciphers.algorithms import ARC4
from cryptography.hazmat.primitives.ciphers import Cipher
from msoffcrypto.format.ooxml import OOXMLFile
from msoffcrypto.method import ecma376_agile, rc4_cryptoapi
from msoffcrypto.method.xor_obfuscation import DocumentXOR
from xlwt import BIFFRecords, CompoundDoc


def agile(name, password, hash_name, size, bits, spins):
    init = ecma376_agile.ECMA376AgileCipherParams.__init__

    def patched(self):
        init(self)
        self.hashName, self.hashSize, self.keyBits = hash_name, size, bits

    encrypt, cbc = ecma376_agile.ECMA376Agile.encrypt, ecma376_agile._encrypt_aes_cbc
    padded = lambda data, key, iv: cbc(data + bytes(-len(data) % 16), key, iv)
    with mock.patch.object(ecma376_agile.ECMA376AgileCipherParams, "__init__", patched), mock.patch.object(
        ecma376_agile.ECMA376Agile, "encrypt", staticmethod(lambda key, ibuf: encrypt(key, ibuf, spin_count=spins))
    ), mock.patch.object(ecma376_agile, "_encrypt_aes_cbc", padded):
        with open("plain.xlsx", "rb") as src, open(name, "wb") as dst:
            OOXMLFile(src).encrypt(password, dst)


def workbook(name, filepass, encrypt):
    """Writes a workbook whose records are encrypted by a function of data and position."""
    get = BIFFRecords.Biff8BOFRecord.get

    def bof(self):
        data = get(self)
        if data[6:8] == b"\x05\x00":
            data += struct.pack("<HH", 0x2F, len(filepass)) + filepass
        return data

    for extra in range(4):  # msoffcrypto wants the zeros after the stream to be whole records
        book = xlwt.Workbook()
        sheet = book.add_sheet("One")
        for i in range(100):
            sheet.write(i, 0, i)
            sheet.write(i, 1, "row %d of the sheet" % i)
        sheet.write(100, 1, "x" * (3000 + extra))
        with mock.patch.object(BIFFRecords.Biff8BOFRecord, "get", bof):
            stream = bytearray(book.get_biff_data())
        if len(stream) % 4 == 0:
            break
    at = 0
    while at + 4 <= len(stream):
        kind, size = struct.unpack_from("<HH", stream, at)
        at += 4
        if kind not in (0x809, 0x2F, 0xE1):
            plain = bytes(stream[at : at + size])
            data = encrypt(plain, at)
            if kind == 0x85:
                data = plain[:4] + data[4:]
            stream[at : at + size] = data
        at += size
    CompoundDoc.XlsDoc().save(name, bytes(stream))


def rc4(key_of):
    def encrypt(data, at):
        out = b""
        while data:
            block, skip = divmod(at, 1024)
            part, data = data[: 1024 - skip], data[1024 - skip :]
            cipher = Cipher(ARC4(key_of(block)), mode=None).encryptor()
            cipher.update(b"\0" * skip)
            out += cipher.update(part)
            at += len(part)
        return out

    return encrypt


def cryptoapi(name, password, bits):
    from hashlib import sha1

    salt, verifier = os.urandom(16), os.urandom(16)
    key_of = lambda block: rc4_cryptoapi._makekey(password, salt, bits, block)
    cipher = Cipher(ARC4(key_of(0)), mode=None).encryptor()
    header = struct.pack("<8I", 4, 0, 0x6801, 0x8004, bits, 1, 0, 0) + "CSP\0".encode("utf-16le")
    info = struct.pack("<HHHII", 1, 3, 2, 4, len(header)) + header
    info += struct.pack("<I", 16) + salt + cipher.update(verifier) + struct.pack("<I", 20) + cipher.update(sha1(verifier).digest())
    workbook(name, info, rc4(key_of))


def xor(name, password):
    verifier = next(v for v in range(65536) if DocumentXOR.verifypw(password, v))
    key, array = DocumentXOR.create_xor_key_method1(password), DocumentXOR.create_xor_array_method1(password)

    def encrypt(data, at):
        at += len(data)
        return bytes(DocumentXOR.rol(b, 5, 8) ^ array[(at + i) % 16] for i, b in enumerate(data))

    workbook(name, struct.pack("<HHH", 0, key, verifier), encrypt)


agile("agile-sha512.xlsx", "Pässwörd", "SHA512", 64, 256, 100000)
agile("agile-sha384.xlsx", "secret", "SHA384", 48, 256, 1000)
agile("agile-sha256.xlsx", "secret", "SHA256", 32, 256, 1000)
agile("agile-sha1.xlsx", "secret", "SHA1", 20, 128, 1000)
agile("agile-default.xlsx", "VelvetSweatshop", "SHA1", 20, 128, 1000)
cryptoapi("cryptoapi-40.xls", "secret", 40)
cryptoapi("cryptoapi-128.xls", "secret", 128)
xor("xor.xls", "secret")
xor("xor-odd.xls", "fifteen letters")
