/**
 * The ledger on PostgreSQL, and the only package that knows java.sql, HikariCP, Flyway, Micronaut
 * Data and db-scheduler. Callers use {@code PostgresStore} and nothing else. Begin there, then read
 * {@code JdbcLedger} (T1) and {@code StepWrite} (T2).
 */
@NullMarked
package ai.hanzo.dev.ledger.jdbc;

import org.jspecify.annotations.NullMarked;
