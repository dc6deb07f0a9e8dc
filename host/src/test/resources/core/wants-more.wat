;; Asks for a clock, which no core may have.
(module
  (import "wasi_snapshot_preview1" "clock_time_get" (func (param i32 i64 i32) (result i32)))
  (memory (export "memory") 1 1))
