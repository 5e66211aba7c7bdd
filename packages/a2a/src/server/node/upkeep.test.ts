import { expect, test } from 'vitest';
import { inOrderOf } from './upkeep.js';

test('D12: each node goes through the same tasks in its own order, which is always the same', () => {
  const refs = Array.from({ length: 100 }, (_, k) => ({ agent: '', tenant: '', owner: 'ann', id: `task-${k}` }));
  const orders = ['node-1', 'node-2', 'node-3'].map((node) => inOrderOf(node, refs));
  for (const order of orders) expect(new Set(order)).toEqual(new Set(refs));
  const firsts = orders.flatMap((order) => order.slice(0, 8));
  expect(new Set(firsts).size, 'nodes begin with different tasks').toBeGreaterThan(16);
  expect(inOrderOf('node-1', [...refs].reverse())).toEqual(orders[0]);
});
