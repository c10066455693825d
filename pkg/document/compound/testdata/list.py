# Lists what olefile reads in the compound files beside this script, as the tests
# compare it: python list.py > list.txt
import glob, hashlib, json, olefile

for name in sorted(glob.glob("*.doc") + glob.glob("*.xls")):
    ole = olefile.OleFileIO(name)
    for path in sorted(ole.listdir(streams=True, storages=True)):
        at = json.dumps("/".join(path))
        if ole.get_type(path) == olefile.STGTY_STREAM:
            data = ole.openstream(path).read()
            print(name, at, len(data), hashlib.sha256(data).hexdigest())
        else:
            print(name, at, "storage")
