/** The parent of each message, and the visible branch. The content of the messages is not part of it. */

export interface TreeNode {
  readonly id: string;
  /** null: the first message of the conversation. */
  readonly parentId: string | null;
}

const NO_MESSAGES: readonly string[] = Object.freeze([]);

export class MessageTree {
  /** Oldest first. */
  readonly #parents = new Map<string, string | null>();
  readonly #children = new Map<string | null, string[]>();
  /** Lists of children that were returned before, so that they keep their identity until a child is added. */
  readonly #shown = new Map<string | null, readonly string[]>();
  #headId: string | null = null;

  /** The last visible message; null: none. */
  get headId(): string | null {
    return this.#headId;
  }

  /** Oldest first, so that a parent comes before its children. */
  get ids(): Iterable<string> {
    return this.#parents.keys();
  }

  has(id: string): boolean {
    return this.#parents.has(id);
  }

  /** undefined: unknown message. */
  parentOf(id: string): string | null | undefined {
    return this.#parents.get(id);
  }

  childrenOf(id: string | null): readonly string[] {
    const shown = this.#shown.get(id);
    const children = this.#children.get(id);
    if (shown !== undefined || children === undefined) return shown ?? NO_MESSAGES;
    const list = Object.freeze(children.slice());
    this.#shown.set(id, list);
    return list;
  }

  /** All messages with the same parent, including this one. The list keeps its identity until a sibling is added. */
  siblingsOf(id: string): readonly string[] {
    const parentId = this.#parents.get(id);
    return parentId === undefined ? NO_MESSAGES : this.childrenOf(parentId);
  }

  /** Adds a message. A known message keeps its place; a message with an unknown parent is added after the last visible message. */
  put({ id, parentId }: TreeNode): void {
    if (this.#parents.has(id)) return;
    const place = parentId === null || this.#parents.has(parentId) ? parentId : this.#headId;
    this.#parents.set(id, place);
    const siblings = this.#children.get(place);
    if (siblings === undefined) this.#children.set(place, [id]);
    else siblings.push(id);
    this.#shown.delete(place);
  }

  /** Makes the branch that ends with this message visible. No-op for an unknown message. */
  show(headId: string | null): void {
    if (headId === null || this.#parents.has(headId)) this.#headId = headId;
  }

  /** The last message of this message's branch, following the newest child at each step. */
  newestEnd(id: string): string {
    let end = id;
    for (let next = this.#newest(end); next !== undefined; next = this.#newest(end)) end = next;
    return end;
  }

  #newest(id: string): string | undefined {
    return this.#children.get(id)?.at(-1);
  }

  /** The messages from the first one to this one. Default: to the last visible message. */
  pathTo(id: string | null = this.#headId): string[] {
    const path: string[] = [];
    for (let at = id; at !== null; at = this.#parents.get(at) ?? null) path.push(at);
    return path.reverse();
  }
}

/** Builds a tree from saved messages. An invalid tree (duplicate ids, cycles, a missing parent or head) becomes one branch. */
export function plantTree(nodes: readonly TreeNode[], headId: string | null | undefined): MessageTree {
  const tree = new MessageTree();
  const line = isTree(nodes, headId) ? undefined : asLine(nodes);
  for (const node of line ?? parentsFirst(nodes)) tree.put(node);
  const last = (line ?? nodes).at(-1)?.id ?? null;
  tree.show(line !== undefined || headId === undefined ? last : headId);
  return tree;
}

function isTree(nodes: readonly TreeNode[], headId: string | null | undefined): boolean {
  const parents = new Map(nodes.map(({ id, parentId }) => [id, parentId]));
  if (parents.size !== nodes.length) return false;
  if (headId !== undefined && headId !== null && !parents.has(headId)) return false;
  return reachesRoot(parents);
}

/** Whether every chain of parents ends at the root. Visits each message once. */
function reachesRoot(parents: ReadonlyMap<string, string | null>): boolean {
  const good = new Set<string>();
  for (const id of parents.keys()) {
    const way = new Set<string>();
    for (let at: string | null = id; at !== null && !good.has(at); ) {
      const parentId = parents.get(at);
      if (parentId === undefined || way.has(at)) return false;
      way.add(at);
      at = parentId;
    }
    for (const passed of way) good.add(passed);
  }
  return true;
}

/** The given order, except that parents move before their children. */
function parentsFirst(nodes: readonly TreeNode[]): TreeNode[] {
  const left = new Map(nodes.map((node) => [node.id, node]));
  const sorted: TreeNode[] = [];
  for (const node of nodes) {
    const way: TreeNode[] = [];
    for (let at = left.get(node.id); at !== undefined; at = at.parentId === null ? undefined : left.get(at.parentId)) {
      left.delete(at.id);
      way.push(at);
    }
    sorted.push(...way.reverse());
  }
  return sorted;
}

function asLine(nodes: readonly TreeNode[]): TreeNode[] {
  const ids = [...new Set(nodes.map(({ id }) => id))];
  return ids.map((id, at) => ({ id, parentId: ids[at - 1] ?? null }));
}
