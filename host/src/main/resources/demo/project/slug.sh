# slug TITLE: the title in lower case, with a hyphen between its words.
slug() {
  printf '%s' "$1" |
    tr '[:upper:]' '[:lower:]' |
    sed 's/[^a-z0-9]/-/g'
}
