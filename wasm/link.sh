#!/bin/sh
# The linker for rustc, without the two exports of its own that rustc asks for on this target.
for argument; do
	shift
	case $argument in
	--export=__heap_base | --export=__data_end) ;;
	*) set -- "$@" "$argument" ;;
	esac
done
exec rust-lld "$@"
