/** Which message stands behind which, and the branch that is shown. It knows nothing of what the messages say. */

export interface TreeNode {
  readonly id: string;
  /** null: it begins the conversation. */
  readonly parentId: string | null;
}

const NOBODY: readonly string[] = Object.freeze([]);

export class MessageTree {
  /** Oldest first. */
  readonly #parents = new Map<string, string | null>();
  readonly #children = new Map<string | null, string[]>();
  /** What was given out of them, until one is added. */
  readonly #shown = new Map<string | null, readonly string[]>();
  #headId: string | null = null;

  /** The last message that is shown; null: none is. */
  get headId(): string | null {
    return this.#headId;
  }

  /** Oldest first, so that parents come before what is behind them. */
  get ids(): Iterable<string> {
    return this.#parents.keys();
  }

  has(id: string): boolean {
    return this.#parents.has(id);
  }

  /** undefined: the message is not known. */
  parentOf(id: string): string | null | undefined {
    return this.#parents.get(id);
  }

  childrenOf(id: string | null): readonly string[] {
    const shown = this.#shown.get(id);
    const children = this.#children.get(id);
    if (shown !== undefined || children === undefined) return shown ?? NOBODY;
    const list = Object.freeze(children.slice());
    this.#shown.set(id, list);
    return list;
  }

  /** All at the place of this message, itself included; the same list as long as none is added. */
  siblingsOf(id: string): readonly string[] {
    const parentId = this.#parents.get(id);
    return parentId === undefined ? NOBODY : this.childrenOf(parentId);
  }

  /** One that is known stays where it is; one whose parent is not known goes behind what is shown. */
  put({ id, parentId }: TreeNode): void {
    if (this.#parents.has(id)) return;
    const place = parentId === null || this.#parents.has(parentId) ? parentId : this.#headId;
    this.#parents.set(id, place);
    const siblings = this.#children.get(place);
    if (siblings === undefined) this.#children.set(place, [id]);
    else siblings.push(id);
    this.#shown.delete(place);
  }

  /** Shows the branch that ends with this message; one that is not known changes nothing. */
  show(headId: string | null): void {
    if (headId === null || this.#parents.has(headId)) this.#headId = headId;
  }

  /** Where the branch of this message ends, by the newest at each place. */
  newestEnd(id: string): string {
    let end = id;
    for (let next = this.#newest(end); next !== undefined; next = this.#newest(end)) end = next;
    return end;
  }

  #newest(id: string): string | undefined {
    return this.#children.get(id)?.at(-1);
  }

  /** From the beginning to this message; default: to the last that is shown. */
  pathTo(id: string | null = this.#headId): string[] {
    const path: string[] = [];
    for (let at = id; at !== null; at = this.#parents.get(at) ?? null) path.push(at);
    return path.reverse();
  }
}

/** What somebody kept, as a tree; where it is none (doubled ids, circles, parents or a head that are not there), as one line. */
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

/** Whether every way up ends at the beginning. Each message is looked at once. */
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

/** The given order, but for parents that come behind what stands behind them. */
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
