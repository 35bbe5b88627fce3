# Sourced by ./mvnw and ./holdfast: leaves JAVA_HOME at a JDK 25, wherever one is installed.
# Order: HOLDFAST_JDK, JAVA_HOME, the usual places of Linux and macOS, then java on the PATH.

holdfast_is_jdk25() {
  [ -x "$1/bin/java" ] && [ -x "$1/bin/javac" ] && [ -r "$1/release" ] &&
    grep -q '^JAVA_VERSION="25[".]' "$1/release"
}

holdfast_find_jdk() {
  for candidate in "${HOLDFAST_JDK-}" "${JAVA_HOME-}"; do
    if [ -n "$candidate" ] && holdfast_is_jdk25 "$candidate"; then
      printf '%s\n' "$candidate"
      return 0
    fi
  done
  # find, not a glob: ./mvnw runs with globbing off.
  for parent in /usr/lib/jvm /usr/java /opt /opt/java "${HOME-}/.sdkman/candidates/java" \
    "${HOME-}/.jdks" "${HOME-}/.asdf/installs/java" "${HOME-}/.local/share/mise/installs/java" \
    /Library/Java/JavaVirtualMachines "${HOME-}/Library/Java/JavaVirtualMachines"; do
    [ -d "$parent" ] || continue
    for child in $(find "$parent" -mindepth 1 -maxdepth 1 2>/dev/null | sort); do
      for candidate in "$child" "$child/Contents/Home"; do
        if holdfast_is_jdk25 "$candidate"; then
          printf '%s\n' "$candidate"
          return 0
        fi
      done
    done
  done
  on_path=$(command -v java 2>/dev/null) || return 1
  home=$("$on_path" -XshowSettings:properties -version 2>&1 | sed -n 's/^ *java\.home = //p')
  [ -n "$home" ] && holdfast_is_jdk25 "$home" && printf '%s\n' "$home"
}

if JAVA_HOME=$(holdfast_find_jdk); then
  export JAVA_HOME
else
  echo "Holdfast needs a JDK 25 and found none: install one (for example Temurin 25) or set HOLDFAST_JDK to its folder." >&2
  exit 1
fi
