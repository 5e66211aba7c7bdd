import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { plantTree, type TreeNode } from './message-tree.js';

/** A random tree: each message follows an earlier message, or starts the conversation. */
const trees = fc.array(fc.nat(), { minLength: 1, maxLength: 40 }).map((picks) =>
  picks.map((pick, at): TreeNode => {
    const parent = pick % (at + 1);
    return { id: `m${at}`, parentId: parent === 0 ? null : `m${parent - 1}` };
  }),
);

describe('the tree of messages', () => {
  test('U35: messages exported in any order give the same branch and the same siblings', () => {
    fc.assert(
      fc.property(trees, fc.nat(), fc.infiniteStream(fc.nat()), (nodes, head, order) => {
        const headId = nodes[head % nodes.length]?.id ?? null;
        const tree = plantTree(nodes, headId);
        const shuffled = nodes.map((node) => ({ node, key: order.next().value ?? 0 })).sort((a, b) => a.key - b.key);
        const again = plantTree(
          shuffled.map(({ node }) => node),
          headId,
        );
        expect(again.pathTo()).toEqual(tree.pathTo());
        for (const { id, parentId } of nodes) {
          expect(again.parentOf(id)).toBe(parentId);
          expect(new Set(again.siblingsOf(id))).toEqual(new Set(tree.siblingsOf(id)));
        }
        const inOrder = [...again.ids];
        for (const { id, parentId } of nodes) {
          if (parentId !== null) expect(inOrder.indexOf(parentId)).toBeLessThan(inOrder.indexOf(id));
        }
      }),
    );
  });

  test('U35: switching shows the newest message of a branch, and switching back shows the same messages as before', () => {
    fc.assert(
      fc.property(trees, fc.nat(), (nodes, pick) => {
        const tree = plantTree(nodes, undefined);
        const id = nodes[pick % nodes.length]?.id ?? '';
        const end = tree.newestEnd(id);
        tree.show(end);
        expect(tree.childrenOf(end)).toEqual([]);
        expect(tree.pathTo()).toContain(id);
        const path = tree.pathTo();
        tree.show(null);
        expect(tree.pathTo()).toEqual([]);
        tree.show(end);
        expect(tree.pathTo()).toEqual(path);
      }),
    );
  });

  test('U36: an invalid tree becomes one branch with all messages', () => {
    const ids = fc.constantFrom('a', 'b', 'c', 'd', 'missing');
    const nodes = fc.array(fc.record({ id: fc.constantFrom('a', 'b', 'c', 'd'), parentId: fc.option(ids) }), {
      minLength: 1,
      maxLength: 6,
    });
    fc.assert(
      fc.property(nodes, fc.option(ids, { nil: undefined }), (given, headId) => {
        const tree = plantTree(given, headId);
        expect(new Set(tree.ids)).toEqual(new Set(given.map(({ id }) => id)));
        const isKept =
          given.every(({ id, parentId }) => tree.parentOf(id) === parentId) && new Set(given.map(({ id }) => id)).size === given.length;
        if (!isKept) expect(tree.pathTo()).toEqual([...new Set(given.map(({ id }) => id))]);
      }),
    );
  });

  test('a message that is added twice keeps its place, and a message with an unknown parent follows the last visible message', () => {
    const tree = plantTree([{ id: 'a', parentId: null }], 'a');
    tree.put({ id: 'a', parentId: 'missing' });
    tree.put({ id: 'b', parentId: 'missing' });
    expect(tree.pathTo('b')).toEqual(['a', 'b']);
    tree.show('missing');
    expect(tree.headId).toBe('a');
    expect(tree.siblingsOf('missing')).toEqual([]);
  });

  test('a branch of 100,000 messages is built without recursion', () => {
    const nodes = Array.from(
      { length: 100_000 },
      (_, at): TreeNode => ({ id: `m${at}`, parentId: at === 0 ? null : `m${at - 1}` }),
    ).reverse();
    expect(plantTree(nodes, 'm99999').pathTo()).toHaveLength(100_000);
  });
});
