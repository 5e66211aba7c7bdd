import { describe, expect, test } from 'vitest';
import { FIELDS } from './generated/fields.js';
import { isMethodName, METHODS, type MethodRow } from './methods.js';

const rows = Object.entries<MethodRow>(METHODS);

describe('the method table', () => {
  test('no two operations share a route', () => {
    const routes = rows.flatMap(([, row]) => row.routes.map(({ verb, path }) => `${verb} ${path}`));
    expect(new Set(routes).size).toBe(routes.length);
    expect(routes).toHaveLength(12);
  });

  test.each(rows)('%s: the variables of its path are members of its request, and GET has no body', (_name, row) => {
    const members = FIELDS[row.request].map(({ json }) => json);
    for (const { verb, path, body } of row.routes) {
      for (const [, name] of path.matchAll(/\{(\w+)\}/g)) expect(members).toContain(name);
      expect(body).toBe(verb === 'POST');
    }
    expect(members).toContain('tenant');
  });

  test('P48: streams, webhooks and the extended card each require their capability', () => {
    const needs = Object.fromEntries(rows.flatMap(([name, { capability }]) => (capability ? [[name, capability]] : [])));
    expect(needs).toEqual({
      SendStreamingMessage: 'streaming',
      SubscribeToTask: 'streaming',
      CreateTaskPushNotificationConfig: 'pushNotifications',
      GetTaskPushNotificationConfig: 'pushNotifications',
      ListTaskPushNotificationConfigs: 'pushNotifications',
      DeleteTaskPushNotificationConfig: 'pushNotifications',
      GetExtendedAgentCard: 'extendedAgentCard',
    });
  });

  test('unknown names are looked up safely', () => {
    expect(isMethodName('GetTask')).toBe(true);
    for (const name of ['getTask', 'constructor', '__proto__', 'toString', '']) expect(isMethodName(name)).toBe(false);
  });
});
