/** Walks through tasks, messages and events: all models nest the same objects, so a model says only how it writes each of them. */
import { isObject, type Members } from '../../protocol/is-object.js';

/** How a model writes one object. Nested objects are translated already. */
export interface Shapes {
  part(part: Members): unknown;
  message(message: Members): Members;
  task(task: Members): Members;
  /** The name of a state. */
  state(state: unknown): unknown;
}

/** The content of a message may be under the name of another model: `content` instead of `parts`. */
export function translateMessage(message: unknown, shapes: Shapes): unknown {
  if (!isObject(message)) return message;
  const { content, parts = content, ...rest } = message;
  return shapes.message({ ...rest, parts: translateParts(parts, shapes) });
}

export function translateTask(task: unknown, shapes: Shapes): unknown {
  if (!isObject(task)) return task;
  const { status, history, artifacts, ...rest } = task;
  return shapes.task({
    ...rest,
    ...(status !== undefined && { status: translateStatus(status, shapes) }),
    ...(history !== undefined && { history: mapList(history, (message) => translateMessage(message, shapes)) }),
    ...(artifacts !== undefined && { artifacts: mapList(artifacts, (artifact) => translateArtifact(artifact, shapes)) }),
  });
}

function translateStatus(status: unknown, shapes: Shapes): unknown {
  if (!isObject(status)) return status;
  const { state, message, ...rest } = status;
  return {
    state: shapes.state(state),
    ...rest,
    ...(message !== undefined && { message: translateMessage(message, shapes) }),
  };
}

function translateArtifact(artifact: unknown, shapes: Shapes): unknown {
  if (!isObject(artifact)) return artifact;
  return { ...artifact, parts: translateParts(artifact.parts, shapes) };
}

/** A StreamResponse or SendMessageResponse with its wrapper; the model may remove that afterwards. */
export function translateResponse(response: Members, shapes: Shapes): Members {
  const { task, message, statusUpdate, artifactUpdate } = response;
  return {
    ...response,
    ...(task !== undefined && { task: translateTask(task, shapes) }),
    ...(message !== undefined && { message: translateMessage(message, shapes) }),
    ...(isObject(statusUpdate) && { statusUpdate: { ...statusUpdate, status: translateStatus(statusUpdate.status, shapes) } }),
    ...(isObject(artifactUpdate) && {
      artifactUpdate: { ...artifactUpdate, artifact: translateArtifact(artifactUpdate.artifact, shapes) },
    }),
  };
}

/** Changes only the parts of a value that a peer sent, in either model: the lenient reader of the client understands everything else. */
export function translatePartsOf(value: unknown, part: Shapes['part']): unknown {
  if (!isObject(value)) return value;
  const shapes: Shapes = { part, message: same, task: same, state: same };
  if (isObject(value.artifact)) return { ...value, artifact: translateArtifact(value.artifact, shapes) };
  if (Array.isArray(value.parts) || Array.isArray(value.content)) return translateMessage(value, shapes);
  return 'status' in value ? translateTask(value, shapes) : translateResponse(value, shapes);
}

const same = <T>(value: T): T => value;

function translateParts(parts: unknown, shapes: Shapes): unknown {
  return mapList(parts, (part) => (isObject(part) ? shapes.part(part) : part));
}

/** A value of another type is kept: the parser reports it. */
export function mapList(list: unknown, translate: (item: unknown) => unknown): unknown {
  return Array.isArray(list) ? list.map(translate) : list;
}
