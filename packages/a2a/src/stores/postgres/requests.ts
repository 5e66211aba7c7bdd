import { randomUUID } from 'node:crypto';
import { toColumn } from '../sql/name.js';
import { answerOf, type RequestColumns } from '../sql/request-row.js';
import type { RequestKey, TaskStore } from '../store.js';
import type { Database } from './database.js';
import { lockLimit } from './functions/fragments.js';
import type { Leases } from './leases.js';
import type { Now } from './nodes.js';

const BY_KEY = 'agent = $1 AND tenant = $2 AND owner = $3 AND key = $4';
const IS_OPEN = 'task_id IS NULL AND reply IS NULL';

type Requests = Pick<TaskStore, 'beginRequest' | 'endRequest' | 'dropRequest'>;

export function prepareRequests(db: Database, s: string, leases: Leases, now: Now): Requests {
  const begin = `SELECT * FROM ${s}.begin_request($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`;
  const end = `UPDATE ${s}.requests SET reply = $5 FROM ${lockLimit('$6')} WHERE ${BY_KEY} AND ${IS_OPEN}`;
  const drop = `DELETE FROM ${s}.requests USING ${lockLimit('$7')} WHERE ${BY_KEY} AND ${IS_OPEN} AND node = $5 AND lease = $6`;

  return {
    async beginRequest(key, bodyHash, node) {
      const values = [...keyValues(key), toColumn(bodyHash), ...leases.of(node), randomUUID(), now()];
      const row = await db.one<readonly [run: number | null, ...RequestColumns]>(begin, ({ lockMs }) => [lockMs, ...values]);
      if (row === undefined) throw new Error('begin_request returned no row');
      const [attempt, ...known] = row;
      // The database has already compared the times.
      const answer = attempt === null ? answerOf(known, toColumn(bodyHash), Number.NEGATIVE_INFINITY) : undefined;
      return answer ?? { kind: 'new', attempt: attempt ?? 1 };
    },
    async endRequest(key, replyJson) {
      await db.rows(end, ({ lockMs }) => [...keyValues(key), replyJson, lockMs]);
    },
    async dropRequest({ key, node }) {
      await db.rows(drop, ({ lockMs }) => [...keyValues(key), ...leases.of(node), lockMs]);
    },
  };
}

function keyValues({ agent, tenant, owner, key }: RequestKey): readonly string[] {
  return [toColumn(agent), toColumn(tenant), toColumn(owner), toColumn(key)];
}
