/** The ids that a run assigns: the same in each run of its turn, if the run makes the same calls. They contain the entry where the turn began. */
import { A2AError } from '../../protocol/errors.js';
import type { TaskWriter } from '../log/writer.js';
import { checkQuestionId } from '../questions/question.js';

export class TurnIds {
  readonly #seq: number;
  #artifacts = 0;
  #calls = 0;
  #named: Set<string> | undefined;

  constructor(seq: number) {
    this.#seq = seq;
  }

  artifact(): string {
    this.#artifacts += 1;
    return `artifact-${this.#seq}-${this.#artifacts}`;
  }

  /** An id that no artifact of the task has. */
  freeArtifact(writer: TaskWriter): string {
    let id = this.artifact();
    while (writer.hasArtifact(id)) id = this.artifact();
    return id;
  }

  /** For a call of a caller's tool. `called` identifies the call by its content, `id` is the executor's own name for it. */
  call(called: string, id?: string): string {
    if (id === undefined) {
      this.#calls += 1;
      return `call-${this.#seq}-${this.#calls}-${called}`;
    }
    checkQuestionId(id, 'a tool call');
    this.#named ??= new Set();
    if (this.#named.has(id)) throw new A2AError('INVALID_AGENT_RESPONSE', `Two tool calls of one run have the id ${id}.`);
    this.#named.add(id);
    return `call-${this.#seq}-id-${id}-${called}`;
  }
}
