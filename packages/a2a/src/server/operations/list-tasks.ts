/** ListTasks: newest status first, in pages that stay correct when tasks change. */
import { A2AError } from '../../protocol/errors.js';
import { type TaskJsonOptions, taskJson, taskJsonLength } from '../../protocol/task-text.js';
import type { ListTasksRequest } from '../../protocol/types.js';
import type { Call } from '../call.js';
import { checkRoom, reserveReply } from '../limits/byte-budget.js';
import { checkAnonymous, scopeOf } from './checks.js';
import { decodePageToken, encodePageToken, type Filters } from './page-token.js';
import { type Operation, value } from './runtime.js';

const DEFAULT_PAGE_SIZE = 50;
/** A page with large tasks ends early; the next page continues after its last task. */
const MAX_PAGE_BYTES = 4 * 1024 * 1024;

export const listTasks: Operation<'ListTasks'> = async (runtime, call) => {
  const { params } = call;
  checkAnonymous(call);
  const filters = toFilters(call);
  const token = params.pageToken === undefined ? undefined : decodePageToken(params.pageToken, filters);
  const limit = params.pageSize ?? DEFAULT_PAGE_SIZE;
  const withoutArtifacts = params.includeArtifacts !== true;
  const { historyLength } = params;
  checkRoom(call);
  const page = await runtime.log.store.list({
    ...filters,
    limit,
    maxBytes: MAX_PAGE_BYTES,
    count: token === undefined,
    after: token?.after,
    withoutArtifacts,
    historyLength,
  });
  const total = token?.total ?? page.total ?? 0;
  const last = page.tasks.at(-1);
  const next = page.more && last ? encodePageToken({ after: { statusAt: last.head.statusAt, id: last.ref.id }, total }, filters) : '';
  const shown: TaskJsonOptions = { historyLength, artifacts: withoutArtifacts ? false : 'always' };
  const tasks = page.tasks.map((stored) => runtime.log.currentOf(stored, { historyLength, withoutArtifacts }).text);
  reserveReply(call, sum(tasks.map((text) => taskJsonLength(text, shown))));
  const texts = tasks.map((text) => taskJson(text, shown));
  return value(`{"tasks":[${texts.join(',')}],"nextPageToken":${JSON.stringify(next)},"pageSize":${limit},"totalSize":${total}}`);
};

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

function toFilters(call: Call<'ListTasks'>): Filters {
  const { contextId, status, statusTimestampAfter }: ListTasksRequest = call.params;
  return {
    ...scopeOf(call),
    ...(contextId !== undefined && { contextId }),
    ...(status !== undefined && status !== 'TASK_STATE_UNSPECIFIED' && { state: status }),
    ...(statusTimestampAfter !== undefined && { statusAtOrAfter: Math.ceil(toMillis(statusTimestampAfter)) }),
  };
}

/** Status times are whole milliseconds, so a bound with a finer fraction is rounded up to the next one. */
function toMillis(timestamp: string): number {
  const [, whole = timestamp, fraction = ''] = /^(.*?)(?:\.(\d+))?Z$/.exec(timestamp) ?? [];
  const at = Date.parse(`${whole}Z`);
  if (Number.isNaN(at) || !new Date(at).toISOString().startsWith(whole)) throw noSuchTime();
  return at + Number(`0.${fraction || 0}`) * 1_000;
}

/** Dates such as 30 February are well-formed, but `Date.parse` reads them as another day. */
function noSuchTime(): A2AError {
  const description = 'is not a valid date';
  return new A2AError('INVALID_PARAMS', `statusTimestampAfter ${description}`, {
    violations: [{ field: 'statusTimestampAfter', description }],
  });
}
