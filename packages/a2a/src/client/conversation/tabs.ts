/** How the tabs of a browser share one stream: one tab is the leader, the others follow it. */
import type { A2AError } from '../../protocol/errors.js';
import type { JsonValue } from '../../protocol/types.js';

/** One conversation in one tab. */
export interface TabMember {
  /**
   * Makes this tab the leader: the saved state is now current, and an interrupted answer is resumed. Called at most once; before `join`
   * resolves if no tab leads yet. No follower gets a snapshot before the promise resolves.
   */
  lead(): void | Promise<void>;
  /** Applies an event of the leader. Events arrive in order. */
  receive(event: JsonValue): void;
  /** Returns the whole state for a tab that joins later. Called on the leader. */
  snapshot(): JsonValue;
  /**
   * Replaces the state with the leader's snapshot, before any later event. Called again after a missed event and after a change of leader.
   */
  adopt(snapshot: JsonValue): void;
  /**
   * Executes a command of another tab. Called on the leader; its result or error is sent back. A leader that closes in the middle may
   * already have executed the command, so a command that must run once carries its own id, and `handle` checks that id first.
   */
  handle(command: JsonValue): Promise<JsonValue>;
  /** Reports that something could not be sent to other tabs, for example because it is too large. */
  fail?(error: A2AError): void;
}

/** The place of one tab among the tabs of a conversation: the leader sends events, the others send commands to it. */
export interface TabSeat {
  readonly isLeader: boolean;
  /** Sends an event to all other tabs. No-op unless this tab is the leader. */
  tell(event: JsonValue): void;
  /**
   * Sends a command to the leader. If the leader closes before it answers, the next leader gets the command; its id ensures that it runs
   * once. Rejects with AGENT_UNAVAILABLE if the leader does not acknowledge the command, which may still be executed later.
   */
  ask(command: JsonValue): Promise<JsonValue>;
  /**
   * Leaves; the next tab becomes the leader once `saved` is settled, because the last save of this tab must come before the first save of
   * the next leader. Pending commands reject with ABORTED, but may still be executed.
   */
  leave(saved?: Promise<void>): void;
}

/** Connects the tabs that show the same conversation. Use `webTabs()` in browsers; `soloTabs()` keeps each tab separate. */
export interface Tabs {
  /** Resolves when it is known which tab is the leader. */
  join(name: string, member: TabMember): Promise<TabSeat>;
}
