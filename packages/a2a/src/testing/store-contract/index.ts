import { closingChecks } from './closing.js';
import { commitChecks } from './commit.js';
import { conversationChecks } from './conversation.js';
import { eraseChecks } from './erase.js';
import { faultChecks } from './faults.js';
import { generationChecks } from './generations.js';
import { heartbeatChecks } from './heartbeat.js';
import { historyChecks } from './history.js';
import { inboxChecks } from './inbox.js';
import { isolationChecks } from './isolation.js';
import { listChecks } from './list.js';
import { ownershipChecks } from './ownership.js';
import { readChecks } from './read.js';
import { requestChecks } from './requests.js';
import type { StoreCheck } from './samples.js';

/** All promises of a TaskStore, one check each. Run them all, with any test runner, against every store. */
export const storeContract: readonly StoreCheck[] = [
  ...commitChecks,
  ...faultChecks,
  ...readChecks,
  ...historyChecks,
  ...generationChecks,
  ...listChecks,
  ...isolationChecks,
  ...inboxChecks,
  ...requestChecks,
  ...ownershipChecks,
  ...heartbeatChecks,
  ...conversationChecks,
  ...eraseChecks,
  ...closingChecks,
];
