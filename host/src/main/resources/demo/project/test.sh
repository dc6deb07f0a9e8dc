# Tests of slug.sh. Exit code 0: all pass.
. ./slug.sh
failed=0

expect() { # TITLE SLUG
  got=$(slug "$1")
  if [ "$got" = "$2" ]; then
    echo "ok      $1"
  else
    echo "FAILED  $1: expected $2, got $got"
    failed=1
  fi
}

expect "Release notes" "release-notes"
expect "What is new?  A lot!" "what-is-new-a-lot"
exit $failed
