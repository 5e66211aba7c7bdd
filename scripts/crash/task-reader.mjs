// One caller's view of one task: every event with its seq and bytes, and the violations of their order.

const FINAL = ['TASK_STATE_COMPLETED', 'TASK_STATE_FAILED', 'TASK_STATE_CANCELED', 'TASK_STATE_REJECTED'];

export class TaskReader {
  /** @type {string | undefined} */
  taskId;
  /** The start of its range: 0, or the seq of its first snapshot. */
  from = 0;
  /** The last seq received. */
  cursor = 0;
  /** @type {Map<number, string>} */
  seen = new Map();
  duplicates = 0;
  outOfOrder = 0;
  isFinal = false;
  /** Whether it has an open connection. */
  isOpen = false;
  /** @type {import('./jobs.mjs').Policy} */
  policy;
  #onStatus;

  /**
   * @param {import('./jobs.mjs').Policy} policy
   * @param {string} [taskId]
   * @param {(status: any) => void} [onStatus] called for every status as it arrives
   */
  constructor(policy, taskId, onStatus = () => {}) {
    this.policy = policy;
    this.taskId = taskId;
    this.#onStatus = onStatus;
  }

  /** @param {import('./wire.mjs').Frame} frame */
  see({ id = 0, data }) {
    const { task, statusUpdate, artifactUpdate } = JSON.parse(data);
    this.taskId ??= task?.id ?? statusUpdate?.taskId ?? artifactUpdate?.taskId;
    // The log contains one Task, as its second entry. Any other Task is a snapshot of all entries up to its seq.
    if (task && id !== TASK_SEQ) this.from = id;
    else this.#keep(id, data);
    this.cursor = Math.max(this.cursor, id);
    const status = statusUpdate?.status ?? task?.status;
    if (status === undefined) return;
    this.isFinal ||= FINAL.includes(status.state);
    this.#onStatus(status);
  }

  /**
   * @param {number} id
   * @param {string} data
   */
  #keep(id, data) {
    if (this.seen.has(id)) {
      this.duplicates += 1;
      return;
    }
    if (id <= this.cursor) this.outOfOrder += 1;
    this.seen.set(id, data);
  }
}

const TASK_SEQ = 2;
