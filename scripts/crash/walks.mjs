// The four ways in which callers use a task, each until its end, through any number of kills.
import { follow, isEnded, resume, sendUntilAnswered, streamByKey } from './asking.mjs';

/** @typedef {import('./walker.mjs').Walker} Walker */
/** @typedef {import('./world.mjs').Story} Story */

/** @type {Record<import('./jobs.mjs').Job['kind'], (walker: Walker) => Promise<void>>} */
export const WALKS = { stream: walkStream, question: walkQuestion, turn: walkTurns, reply: walkReply };

/** Streams a task. After a kill it resumes by seq, or sometimes repeats the send, like a client that lost its state. */
async function walkStream(/** @type {Walker} */ walker) {
  const { world } = walker;
  const story = walker.begin();
  const job = { kind: /** @type {const} */ ('stream'), ...walker.work() };
  const send = walker.say(story, { text: JSON.stringify(job), job });
  let reader = await streamByKey(world, send);
  while (!reader.isFinal) {
    if (walker.chance(0.2)) reader = await streamByKey(world, send);
    else await resume(world, reader);
  }
}

/** Gets one or two questions and replies after a while, often after a kill or two. */
async function walkQuestion(/** @type {Walker} */ walker) {
  const { world, policy } = walker;
  const story = walker.begin();
  const work = walker.work();
  const prompts = Array.from({ length: 1 + walker.below(2) }, (_, index) => `${work.salt}: question ${index}?`);
  const job = { kind: /** @type {const} */ ('question'), ...work, prompts };
  const send = walker.say(story, { text: JSON.stringify(job), job, returnImmediately: walker.chance(0.5) });
  const { task } = await sendUntilAnswered(world, send);
  /** @type {Promise<void>[]} */
  const answers = [];
  const reader = world.reader(policy, task.id, ({ state, message }) => {
    if (state !== 'TASK_STATE_INPUT_REQUIRED') return;
    const answering = answer(walker, story, task.id, message.parts[0].text);
    answering.catch(() => {}); // awaited below
    answers.push(answering);
  });
  await follow(world, reader);
  await Promise.all(answers);
}

/**
 * @param {Walker} walker
 * @param {Story} story
 * @param {string} taskId
 * @param {string} prompt
 */
async function answer(walker, story, taskId, prompt) {
  const { world } = walker;
  const text = `answer to ${prompt}`;
  world.waiting += 1;
  for (let kills = walker.below(4) - 1; kills > 0; kills -= 1) await world.nextKill();
  await walker.pause(300);
  story.answers.push(text);
  const send = walker.say(story, { text, taskId, returnImmediately: walker.chance(0.5) });
  try {
    await sendUntilAnswered(world, send);
  } catch (error) {
    if (!isEnded(error)) throw error;
  } finally {
    world.waiting -= 1;
  }
}

/** Sends messages to a task while it works on earlier ones; the last message ends it. */
async function walkTurns(/** @type {Walker} */ walker) {
  const { world, policy } = walker;
  const story = walker.begin();
  const { task } = await sendUntilAnswered(world, sayTurn(walker, story));
  const following = follow(world, world.reader(policy, task.id));
  following.catch(() => {}); // awaited below
  try {
    for (let turns = 1 + walker.below(3); turns >= 0; turns -= 1) {
      await walker.pause(200);
      await sendUntilAnswered(world, sayTurn(walker, story, { taskId: task.id, last: turns === 0 }));
    }
  } catch (error) {
    if (!isEnded(error)) throw error;
  }
  await following;
}

/**
 * @param {Walker} walker
 * @param {Story} story
 * @param {{ taskId?: string, last?: boolean }} [how]
 */
function sayTurn(walker, story, { taskId, last = false } = {}) {
  const job = { kind: /** @type {const} */ ('turn'), ...walker.work(), last };
  return walker.say(story, { text: JSON.stringify(job), job, returnImmediately: true, ...(taskId !== undefined && { taskId }) });
}

/** Gets a Message as response, and repeats the send later, often after a kill. */
async function walkReply(/** @type {Walker} */ walker) {
  const { world } = walker;
  const job = { kind: /** @type {const} */ ('reply'), salt: walker.newName() };
  const send = walker.say(walker.begin(), { text: JSON.stringify(job), job });
  send.reply = JSON.stringify(await sendUntilAnswered(world, send));
  if (walker.chance(0.3)) await world.nextKill();
  await walker.pause(200);
  const again = JSON.stringify(await sendUntilAnswered(world, send));
  if (again !== send.reply) world.findings.add('Messages that differ when repeated', `${send.key}: ${send.reply}, then ${again}`);
}
