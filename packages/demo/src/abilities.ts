/** The table of everything the demo can do, and how a message selects an entry. */
import { artifacts } from './abilities/artifacts.js';
import { auth } from './abilities/auth.js';
import { busy } from './abilities/busy.js';
import { chunks } from './abilities/chunks.js';
import { crash } from './abilities/crash.js';
import { data } from './abilities/data.js';
import { echo } from './abilities/echo.js';
import { fail } from './abilities/fail.js';
import { file } from './abilities/file.js';
import { help } from './abilities/help.js';
import { hostile } from './abilities/hostile.js';
import { image } from './abilities/image.js';
import { large } from './abilities/large.js';
import { markdown } from './abilities/markdown.js';
import { message } from './abilities/message.js';
import { question } from './abilities/question.js';
import { recall } from './abilities/recall.js';
import { reject } from './abilities/reject.js';
import { slow } from './abilities/slow.js';
import { story } from './abilities/story.js';
import type { Ability } from './ability.js';

const SHOWN: readonly Ability[] = [
  story,
  markdown,
  question,
  slow,
  artifacts,
  file,
  data,
  image,
  message,
  recall,
  auth,
  reject,
  fail,
  crash,
  busy,
  chunks,
  large,
  hostile,
];

/** All abilities that are selected by their word, in display order. */
export const ABILITIES: readonly Ability[] = [help([...SHOWN, echo]), ...SHOWN];

/** Answers a message that begins with no known word. */
export const FALLBACK: Ability = echo;

export function chooseAbility(text: string): Ability {
  const [, first = ''] = /^\W*([\w-]+)/.exec(text.toLowerCase()) ?? [];
  return ABILITIES.find(({ word }) => word === first) ?? FALLBACK;
}
