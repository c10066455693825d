#!/usr/bin/env bash
# Makes the projects that the runs of runs.txt work on, in the working directory. What it
# does not find on the machine it takes from the registries: the tools of Node and Python,
# into the directory that TOOLS names, once.
set -euo pipefail

tools() {
  mkdir -p "$TOOLS"
  if [[ ! -d $TOOLS/node_modules/vitest ]]; then
    npm install --prefix "$TOOLS" --no-audit --no-fund jest mocha eslint typescript vitest
  fi
  if [[ ! -x $TOOLS/venv/bin/pylint ]]; then
    python3 -m venv "$TOOLS/venv"
    "$TOOLS/venv/bin/pip" install -q pytest pytest-xdist ruff flake8 pylint mypy
  fi
  ln -sfn "$TOOLS/node_modules" node_modules
}

golang() {
  mkdir -p go/{shop,logs,hang,quit,race,broken}
  cat >go/go.mod <<<$'module example.com/real\n\ngo 1.22'
  {
    echo $'package shop\n\nimport "testing"\n'
    for i in $(seq 60); do
      echo "func TestRow$i(t *testing.T) { t.Log(\"row $i is priced\"); if $i == 37 { t.Errorf(\"row %d: total is 1204, want 1240\", $i) } }"
    done
  } >go/shop/shop_test.go
  cat >go/logs/logs_test.go <<'GO'
package logs

import (
	"fmt"
	"testing"
)

func TestMany(t *testing.T) {
	for i := range 400 {
		t.Run(fmt.Sprintf("case_%d", i), func(t *testing.T) {
			t.Logf("opened the store for case %d", i)
			fmt.Printf("worker %d: wrote %d rows in %d ms\n", i%7, i*3, i%13)
			if i == 211 {
				t.Error("rows lost: 12 of 633")
			}
			if i == 302 {
				t.Error("index is stale after a merge")
			}
		})
	}
}
GO
  cat >go/hang/hang_test.go <<'GO'
package hang

import "testing"

func TestFirst(t *testing.T)  {}
func TestSecond(t *testing.T) {}
func TestStuckHere(t *testing.T) { select {} }
GO
  cat >go/quit/quit_test.go <<'GO'
package quit

import (
	"os"
	"testing"
)

func TestFine(t *testing.T)  { t.Log("all is well") }
func TestQuits(t *testing.T) { os.Exit(3) }
GO
  cat >go/race/race_test.go <<'GO'
package race

import (
	"sync"
	"testing"
)

func TestCounter(t *testing.T) {
	n := 0
	var wg sync.WaitGroup
	for range 2 {
		wg.Add(1)
		go func() { defer wg.Done(); n++ }()
	}
	wg.Wait()
	if n > 5 {
		t.Fatal(n)
	}
}
GO
  cat >go/broken/broken.go <<'GO'
package broken

import "fmt"

func Sum(a int, b string) int { fmt.Printf("%d\n", b); return a + b }
func Other() int              { return missing }
GO
  cat >go/main.go <<'GO'
package main

import "fmt"

func main() {
	fmt.Println("  # | region | sold")
	for i := range 40 {
		fmt.Printf("%3d | r%c | %d\n", i, 'a'+i%26, i*i)
	}
	panic("ledger out of balance by 17")
}
GO
}

python() {
  mkdir -p py/tests py/plain
  {
    echo $'import sys\nimport pytest\n\n@pytest.mark.parametrize("n", range(80))\ndef test_even(n):\n    assert n != 71, "seventy-one is odd"\n'
    echo $'def test_prices():\n    print("metadata of the basket: 4 items")\n    print("plugins said: discount of 3 not applied")\n    print("platform fee: 12")\n    basket = [3, 5, 9]\n    total = sum(basket)\n    assert total == 18\n'
  } >py/tests/test_shop.py
  echo $'import time\n\ndef test_quick():\n    pass\n\ndef test_waits_for_ever():\n    time.sleep(60)' >py/tests/test_hang.py
  echo $'import os\n\ndef test_quick():\n    pass\n\ndef test_kills_the_process():\n    os.abort()' >py/tests/test_kill.py
  echo $'class Ledger:\n    limit = undefined_limit\n' >py/tests/ledger.py
  echo $'from ledger import Ledger\n\ndef test_ledger():\n    pass' >py/tests/test_import.py
  {
    echo $'import unittest\n\nclass Shop(unittest.TestCase):'
    for i in $(seq 70); do echo "    def test_row_$i(self): self.assertNotEqual($i, 44, 'row forty-four is wrong')"; done
  } >py/plain/test_plain.py
  {
    echo $'import os, sys, json\n\n\ndef price(n: int) -> str:\n    return n\n'
    for i in $(seq 12); do echo "def rule_$i(a, b):"$'\n    l = a\n    return undefined_name_'"$i"$'\n'; done
  } >py/lint.py
  cat >py/report.py <<'PY'
import sys
print("id | city | orders | late")
for i in range(50):
    print(f"{i:2} | city-{i} | {100 + i * 7 % 90} | {i % 5}")
print("city-31: late orders above the limit of 3", file=sys.stderr)
sys.exit(2)
PY
  cat >py/log.py <<'PY'
import sys
lines = int(sys.argv[1])
for i in range(lines):
    if i == lines // 3:
        print("2026-04-01T10:00:00Z worker 5: exited with code 137")
    if i == lines // 2:
        print("2026-04-01T10:00:01Z shard 12: Fehler beim Schreiben")
    if i == lines * 2 // 3:
        print("2026-04-01T10:00:02Z upstream timed out after 30 s")
    print(f"2026-04-01T10:{i // 60 % 60:02}:{i % 60:02}Z worker {i % 8}: handled item {i} in {i * 7 % 113} ms")
PY
  cat >py/access.py <<'PY'
for i in range(900):
    print(f'10.0.0.{i % 200} - - "GET /items/{i} HTTP/1.1" {500 if i == 613 else 200} {i * 31 % 4000}')
PY
  cat >py/trace.py <<'PY'
def load(path):
    return parse(open(path).read())
def parse(text):
    return int(text.strip())
for i in range(40):
    print(f"loaded part {i} of 40")
open("/tmp/real-part", "w").write("twelve")
load("/tmp/real-part")
PY
}

native() {
  mkdir -p c/src cm
  for i in $(seq 30); do
    echo "int part$i(int a) { int unused$i; return a + $i; }" >c/src/part$i.c
  done
  echo 'int main(void) { return undeclared_name; }' >c/src/bad.c
  echo 'int missing_symbol(void); int main(void) { return missing_symbol(); }' >c/src/link.c
  {
    echo 'OBJ := $(patsubst %.c,%.o,$(wildcard src/part*.c))'
    echo 'CFLAGS := -Wall -Wextra'
    echo 'all: $(OBJ) bad'
    echo $'bad:\n\t$(CC) $(CFLAGS) -o bad src/bad.c'
    echo $'link: $(OBJ)\n\t$(CC) -o link src/link.c $(OBJ)'
    echo $'report:\n\tpython3 ../py/report.py'
    echo $'%.o: %.c\n\t$(CC) $(CFLAGS) -c -o $@ $<'
    echo $'clean:\n\trm -f src/*.o'
  } >c/Makefile
  cat >c/leak.c <<'C'
#include <stdlib.h>
static void *keep(int n) { return malloc(n); }
int main(void) { for (int i = 0; i < 20; i++) keep(100 + i); int *p = malloc(8); free(p); return p[0] != 0; }
C
  cat >c/crash.c <<'C'
#include <stdio.h>
static int deref(int *p) { return *p; }
int main(void) { for (int i = 0; i < 60; i++) { printf("step %d done\n", i); fflush(stdout); } return deref(0); }
C
  cat >c/template.cc <<'C'
#include <map>
#include <string>
#include <vector>
#include <algorithm>
struct Key { int a; };
int main() { std::map<Key, std::string> m; m[Key{1}] = "x"; std::vector<Key> v; std::sort(v.begin(), v.end()); }
C
  {
    echo $'cmake_minimum_required(VERSION 3.20)\nproject(real C)\nenable_testing()'
    for i in $(seq 40); do
      echo "int main(void) { return $i == 23; }" >cm/t$i.c
      echo "add_executable(t$i t$i.c)"
      echo "add_test(NAME case_$i COMMAND t$i)"
    done
  } >cm/CMakeLists.txt
}

rust() {
  mkdir -p rs/src/bin rsbad/src
  echo $'[package]\nname = "real"\nversion = "0.1.0"\nedition = "2021"' >rs/Cargo.toml
  sed 's/real/bad/' rs/Cargo.toml >rsbad/Cargo.toml
  {
    echo $'#[cfg(test)]\nmod tests {'
    for i in $(seq 90); do echo "    #[test] fn row_$i() { assert_ne!($i, 66, \"row sixty-six\"); }"; done
    echo '}'
  } >rs/src/lib.rs
  cat >rs/src/bin/report.rs <<'RS'
fn main() {
    println!("  1 | header | n");
    for i in 0..45 { println!("{:3} | place | {}", i, i * 3); }
    let rows: Vec<i32> = Vec::new();
    println!("{}", rows[7]);
}
RS
  cat >rsbad/src/lib.rs <<'RS'
pub fn sum(a: i32, b: &str) -> i32 { a + b }
pub fn own(v: Vec<i32>) -> usize { let w = v; v.len() + w.len() }
pub fn unused() { let x = 5; }
pub fn call() { missing_function(3) }
RS
}

javascript() {
  mkdir -p js/test js/jest js/mocha js/vitest
  cat >js/package.json <<'JSON'
{"name":"real","version":"1.0.0","type":"commonjs","scripts":{"migrate":"node migrate.js","test":"node --test","check":"sh check.sh"}}
JSON
  cat >js/migrate.js <<'JS'
for (let i = 1; i <= 9; i++) console.log(i === 4 ? `[4/9] ERROR duplicate column "total"` : `[${i}/9] applied migration ${i}`);
for (let i = 0; i < 30; i++) console.log(`table t${i}: ${i * 11} rows copied`);
process.exit(1);
JS
  {
    echo 'const test = require("node:test"), assert = require("node:assert");'
    for i in $(seq 70); do echo "test('row $i adds up', () => assert.notStrictEqual($i, 52, 'row fifty-two is off by one'));"; done
  } >js/test/rows.test.js
  {
    echo 'describe("rows", () => {'
    for i in $(seq 70); do echo "  it('row $i adds up', () => { if ($i === 52) throw new Error('row fifty-two is off by one'); });"; done
    echo '});'
  } | tee js/mocha/rows.js >js/jest/rows.test.js
  { echo 'import { describe, it } from "vitest";'; cat js/mocha/rows.js; } >js/vitest/rows.test.js
  echo '{}' >js/jest/package.json
  { for i in $(seq 25); do echo "const n$i: number = 'text $i';"; done; } >js/types.ts
  printf '#!/bin/sh\necho "   Compiling app"\nfor i in $(seq 40); do echo "  $i | host-$i | ok"; done\necho "host-41 | not reachable"\nexit 1\n' >js/check.sh
  { for i in $(seq 30); do echo "var unused$i = undefinedName$i;"; done; } >js/lint.js
  echo 'export default [{ rules: { "no-unused-vars": "error", "no-undef": "error" } }];' >js/eslint.config.mjs
  printf 'for (let i = 0; i < 50; i++) console.log("chunk", i, "of 50 read");\nrequire("./no-such-module");\n' >js/crash.js
}

others() {
  mkdir -p jv tf sh
  { echo 'class Shop {'; for i in $(seq 15); do echo "  int price$i() { return \"text\" + undefined$i; }"; done; echo '}'; } >jv/Shop.java
  printf 'public class Run { public static void main(String[] a) { for (int i = 0; i < 60; i++) System.out.println("batch " + i + " committed"); Object o = null; o.toString(); } }\n' >jv/Run.java
  { for i in $(seq 12); do printf 'resource "null_thing" "r%d" {\n  name = var.unknown_%d\n}\n' "$i" "$i"; done; } >tf/main.tf
  { echo '#!/bin/bash'; for i in $(seq 12); do echo "cp \$src$i dst$i; cd dir$i"; done; } >sh/bad.sh
  { echo 'create table t(a integer primary key, b);'; for i in $(seq 40); do echo "insert into t values($i, 'row $i');"; done; echo 'select * from t;'; echo "insert into t values(12, 'again');"; } >sh/load.sql
  git init -q repo && cd repo
  git config user.email a@example.com && git config user.name a
  for i in $(seq 150); do echo "line $i" >"file$i.txt"; done
  git add . && git commit -qm first
  git checkout -qb other && echo other >file7.txt && git commit -qam other
  git checkout -q - && echo main >file7.txt && git commit -qam main
  cd ..
}

tools
golang
python
native
rust
javascript
others
