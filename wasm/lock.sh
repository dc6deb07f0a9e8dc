#!/bin/sh
# Prints the lock of dev.wasm: digests of the sources, the toolchain and the output, and the
# reasons that the lock before had.
# usage: lock.sh RUSTC FLAGS, in wasm/, after dev.wasm was built
set -eu
rustc=$1
flags=$2
digest() { sha256sum "$1" | cut -d ' ' -f 1; }
echo "# What dev.wasm was built from. Written by make; checked by every build."
echo "output $(digest dev.wasm) $(stat -c %s dev.wasm)"
echo "rustc $("$rustc" --version --verbose | sed -n 's/^release: //p')"
echo "llvm $("$rustc" --version --verbose | sed -n 's/^LLVM version: //p')"
echo "lld $(rust-lld -flavor wasm --version | sed -n 's/.*LLD \([0-9.]*\).*/\1/p')"
echo "flags $flags"
for file in core/src/*.rs link.sh; do
	echo "source $(digest "$file") $file"
done
# Reasons for going over a bound are written by hand, each with the figure that it excuses.
if [ -f dev.wasm.lock ]; then
	sed -n '/^because-/p' dev.wasm.lock
fi
