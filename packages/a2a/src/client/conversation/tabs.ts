/** How the tabs of a browser share one stream: one leads, the others follow it. */
import type { A2AError } from '../../protocol/errors.js';
import type { JsonValue } from '../../protocol/types.js';

/** One conversation in one tab. */
export interface TabMember {
  /**
   * This tab leads from now on: what was kept is current, and whatever was under way is gone on with. Called once at most, and before `join`
   * resolves when nobody leads yet. Until the promise resolves, nobody is given a snapshot.
   */
  lead(): void | Promise<void>;
  /** An event of the leader, in order. */
  receive(event: JsonValue): void;
  /** The whole state, for a tab that comes in late. Asked of the leader. */
  snapshot(): JsonValue;
  /** The answer to `snapshot`, before any event behind it. Again after whatever was missed, and when another tab leads. */
  adopt(snapshot: JsonValue): void;
  /**
   * Does what another tab asks for. Asked of the leader; what it gives or throws goes back. A leader that goes away in the middle may have
   * done it: what has to be done once carries an id of its own, and is looked for before it is done.
   */
  handle(command: JsonValue): Promise<JsonValue>;
  /** Something did not get through to other tabs, for example because it is too large. */
  fail?(error: A2AError): void;
}

export interface TabSeat {
  readonly isLeader: boolean;
  /** To all other tabs. Only the leader's count. */
  tell(event: JsonValue): void;
  /**
   * Asks the leader. When it goes away before it answers, whoever leads next is asked: commands carry an id, and are done once. One that does
   * not even say that it has heard it rejects with AGENT_UNAVAILABLE, though it may still be done.
   */
  ask(command: JsonValue): Promise<JsonValue>;
  /**
   * Whoever is next leads, once `saved` is settled: the last save of this tab must not come behind the first of the next. What was asked and is
   * not answered rejects with ABORTED, though it may still be done.
   */
  leave(saved?: Promise<void>): void;
}

export interface Tabs {
  /** Resolves when it is known who leads. */
  join(name: string, member: TabMember): Promise<TabSeat>;
}
