/** A commit that was abandoned after a timeout, but completes in the database while it is sent again. */
import pg from 'pg';
import { expect, inject, test } from 'vitest';
import { newSchema } from '../../../test/databases/provided.js';
import { appended, commitAll, creation, readAll, ref } from '../../testing/store-contract/samples.js';
import { postgresStore } from './index.js';

const QUERY_MS = 600;
/** Longer than the first attempt and the lock wait of the second: the stalled commit ends while the writes are sent one by one. */
const STALL_S = 1.1;

/** The first insert takes long, as on a stalled disk, and holds its row locks meanwhile. */
async function stallOnce(schema: string): Promise<void> {
  const client = new pg.Client(inject('postgresUrl'));
  await client.connect();
  await client.query(`
    CREATE SEQUENCE ${schema}.stalls;
    CREATE FUNCTION ${schema}.stall() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF nextval('${schema}.stalls') = 1 THEN PERFORM pg_sleep(${STALL_S}); END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER stall AFTER INSERT ON ${schema}.events FOR EACH STATEMENT EXECUTE FUNCTION ${schema}.stall()`);
  await client.end();
}

test('D12: an abandoned commit that completes while its writes are sent one by one is ok for all of them', async () => {
  const schema = newSchema();
  const store = postgresStore(inject('postgresUrl'), { schema, queryTimeoutMs: QUERY_MS });
  await commitAll(store, creation(ref('a')), creation(ref('b')));
  await stallOnce(schema);
  expect(await store.commit([appended(ref('a'), 3), appended(ref('b'), 3)])).toEqual([
    { kind: 'ok', refused: [] },
    { kind: 'ok', refused: [] },
  ]);
  for (const id of ['a', 'b']) expect((await readAll(store, ref(id))).map(({ seq }) => seq)).toEqual([1, 2, 3]);
  await store.close();
});
