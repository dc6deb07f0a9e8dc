-- Several sessions are written in one transaction, its COMMIT sent with it: a statement that does not
-- find what its writer took for granted has to end all of it by itself. The code is ours alone.
CREATE FUNCTION hanzo_require(seen bigint, wanted bigint) RETURNS bigint
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF seen <> wanted THEN
        RAISE EXCEPTION 'of % rows % are as they were', wanted, seen USING ERRCODE = 'HZ001';
    END IF;
    RETURN seen;
END $$;
