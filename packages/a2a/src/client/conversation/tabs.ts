/** How the tabs of a browser share one stream: one leads, the others follow it. */
import type { JsonValue } from '../../protocol/types.js';

/** One conversation in one tab. */
export interface TabMember {
  /** This tab leads from now on: what was kept is current, and whatever was under way is gone on with. */
  lead(): void;
  /** An event of the leader, in order. */
  receive(event: JsonValue): void;
  /** The whole state, for a tab that comes in late. Asked of the leader. */
  snapshot(): JsonValue;
  /** The answer to `snapshot`, before any event behind it. */
  adopt(snapshot: JsonValue): void;
  /** Does what another tab asks for. Asked of the leader; what it gives or throws goes back. */
  handle(command: JsonValue): Promise<JsonValue>;
}

export interface TabSeat {
  readonly isLeader: boolean;
  /** To all other tabs. Only the leader's count. */
  tell(event: JsonValue): void;
  /** Asks the leader. When it goes away before it answers, whoever leads next is asked: commands carry an id, and are done once. */
  ask(command: JsonValue): Promise<JsonValue>;
  leave(): void;
}

export interface Tabs {
  /** Resolves when it is known who leads. */
  join(name: string, member: TabMember): Promise<TabSeat>;
}
