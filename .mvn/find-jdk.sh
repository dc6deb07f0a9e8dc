# Sets JAVA_HOME to a JDK 25 or later, or says what to install and where it looked. POSIX sh; sourced.
# Order: HANZO_JAVA_HOME, JAVA_HOME, the usual folders of JDKs, java on PATH.

hanzo_java_major() { # DIR -> the feature version of the JDK in DIR, or nothing
  [ -x "$1/bin/java" ] && [ -x "$1/bin/javac" ] || return 1
  if [ -r "$1/release" ]; then
    sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release"
  else
    "$1/bin/java" -version 2>&1 | sed -n '1s/.*"\([0-9]*\).*/\1/p'
  fi
}

hanzo_find_jdk() {
  hanzo_looked=""
  hanzo_path_java=$(command -v javac 2>/dev/null) && hanzo_path_java=$(readlink -f "$hanzo_path_java") || hanzo_path_java=""
  for hanzo_dir in "${HANZO_JAVA_HOME:-}" "${JAVA_HOME:-}" \
    /usr/lib/jvm/*25* /usr/lib/jvm/* "${HOME:-/nonexistent}"/.sdkman/candidates/java/* "${HOME:-/nonexistent}"/.jdks/* \
    /opt/java/* /opt/jdk* "${hanzo_path_java%/bin/javac}"; do
    [ -n "$hanzo_dir" ] && [ -d "$hanzo_dir" ] || continue
    hanzo_major=$(hanzo_java_major "$hanzo_dir") || hanzo_major=""
    hanzo_looked="$hanzo_looked
  $hanzo_dir${hanzo_major:+ (Java $hanzo_major)}"
    if [ -n "$hanzo_major" ] && [ "$hanzo_major" -ge 25 ]; then
      if [ -n "${HANZO_JAVA_HOME:-}" ] && [ "$hanzo_dir" != "$HANZO_JAVA_HOME" ]; then
        echo "hanzo: HANZO_JAVA_HOME=$HANZO_JAVA_HOME has no JDK 25 or later; using $hanzo_dir" >&2
      fi
      JAVA_HOME=$hanzo_dir
      export JAVA_HOME
      return 0
    fi
  done
  echo "hanzo: needs a JDK 25 or later, and found none." >&2
  echo "Install one (Debian and Ubuntu: temurin-25-jdk or openjdk-25-jdk) or set HANZO_JAVA_HOME to its directory." >&2
  echo "Looked in HANZO_JAVA_HOME, JAVA_HOME, /usr/lib/jvm, ~/.sdkman, ~/.jdks, /opt and PATH:${hanzo_looked:- nothing there}" >&2
  return 1
}
