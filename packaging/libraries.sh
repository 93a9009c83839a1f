# libraries.sh: for scripts that compile Debian's sources of the libraries with a compiler of their own. They set `libraries` (a
# folder), `compiler`, `ar`, `machine` (options for all libraries), `words` (bytes of a size) and `packages`.
# shellcheck shell=sh disable=SC2154
jobs=$(nproc)

fetch() { # Debian's sources, unpacked in the current folder. The system's own lists of apt do not change.
	mkdir -p lists/partial
	suite=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
	echo "deb-src http://deb.debian.org/debian $suite main" >sources.list
	apt="apt-get -q -o Dir::Etc::sourcelist=$PWD/sources.list -o Dir::Etc::sourceparts=- -o Dir::State::lists=$PWD/lists"
	$apt update
	# shellcheck disable=SC2086 # a list of words
	$apt source $packages
	for name in $packages; do rm -rf "$name" && mv "$name"-*/ "$name"; done
}

licences() { # licences OTHER...: of all libraries, and of installed packages
	mkdir -p licences
	for name in $packages; do cp "$name"/debian/copyright "licences/$name"; done
	for name; do cp "/usr/share/doc/$name/copyright" "licences/${name%-dev}"; done
}

# library PACKAGE NAME "OPTION..." SOURCE...: lib/libNAME.a, and what pkg-config asks of it. Their own scripts would start the
# compiler hundreds of times to find what is known of the system.
library() {
	package=$1 name=$2 options="$machine $3"
	shift 3
	mkdir -p "objects/$name" lib/pkgconfig
	# shellcheck disable=SC2086 # lists of words
	(cd "objects/$name" && printf "$libraries/%s\n" "$@" | xargs -n 4 -P "$jobs" $compiler -O2 -w $options -c)
	$ar rcs "lib/lib$name.a" "objects/$name"/*.o
	printf 'Name: %s\nDescription: of Debian, compiled here\nVersion: 0\nLibs: -L%s -l%s\nCflags: -I%s\n' \
		"$package" "$libraries/lib" "$name" "$libraries/include" >"lib/pkgconfig/$package.pc"
}

compile() { # zlib, lz4, zstd and libfyaml, and of liblzma only what this package calls
	mkdir -p include
	cp -R /usr/include/jsmn.h zlib/z*.h lz4/lib/lz4*.h libzstd/lib/z*.h libfyaml/include/*.h xz-utils/src/liblzma/api/lzma* include
	library zlib z "-DHAVE_HIDDEN -DHAVE_UNISTD_H" zlib/*.c
	library liblz4 lz4 -DXXH_NAMESPACE=LZ4_ lz4/lib/*.c
	library libzstd zstd "-DXXH_NAMESPACE=ZSTD_ -DZSTD_DISABLE_ASM" libzstd/lib/common/*.c libzstd/lib/decompress/*.c
	lzma=xz-utils/src/liblzma folders=
	for folder in ../common api common check lz rangecoder lzma delta simple; do folders="$folders -I$libraries/$lzma/$folder"; done
	sources=$(find $lzma/common $lzma/check $lzma/lz $lzma/rangecoder $lzma/lzma -name '*.c' ! -name '*tablegen.c' ! -name '*_small.c' ! -name '*_mt.c' \
		! -name outqueue.c ! -name hardware_cputhreads.c)
	# shellcheck disable=SC2086 # a list of words
	library liblzma lzma "$folders -DTUKLIB_SYMBOL_PREFIX=lzma_ -fvisibility=hidden -DNDEBUG -DHAVE_STDBOOL_H -DHAVE_STDINT_H
		-DHAVE_INTTYPES_H -DHAVE_LIMITS_H -DHAVE_STRING_H -DHAVE__BOOL -DHAVE_VISIBILITY -DSIZEOF_SIZE_T=$words
		-DHAVE_ENCODERS -DHAVE_DECODERS -DHAVE_ENCODER_LZMA1 -DHAVE_DECODER_LZMA1 -DHAVE_MF_BT2 -DHAVE_MF_BT3
		-DHAVE_MF_BT4 -DHAVE_MF_HC3 -DHAVE_MF_HC4" $sources
	library libfyaml fyaml "-I$libraries/libfyaml/include -I$libraries/libfyaml/src/xxhash -DVERSION=\"\" -DNDEBUG -D_GNU_SOURCE
		-DHAVE_STDINT_H -DHAVE_QSORT_R=0 -DHAVE_DECL_ENVIRON=1" libfyaml/src/lib/*.c libfyaml/src/xxhash/*.c
}

# make_libraries NAME: fetch the sources and run make_all, once, in the folder of the libraries.
make_libraries() {
	mkdir -p "$libraries"
	exec 9>"$libraries/lock"
	flock 9 # two builds at the same time both ask for them
	[ ! -e "$libraries/complete" ] || return 0
	echo "compiling $packages with $1, see build/${libraries##*/}/log"
	(
		cd "$libraries" || exit 1
		fetch
		make_all
		touch complete
	) >"$libraries/log" 2>&1 & # so that an error ends it
	wait $! || { tail "$libraries/log" >&2; exit 1; }
}
