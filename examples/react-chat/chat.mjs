// A chat: messages, the open question, and an input field. With a build step this would be JSX.
import { ConversationProvider, useAgentCard, useConversation, useMessages, useQuestion } from '@parley/a2a/react';
import { createElement as h, memo, useState } from 'react';

/** @param {{ url: string, storage?: import('@parley/a2a/conversation').ConversationStorage }} props */
export function Chat({ url, storage }) {
  return h(ConversationProvider, { url, id: 'main', ...(storage && { storage }) }, h(Title), h(Messages), h(Line));
}

function Title() {
  return h('h1', undefined, useAgentCard()?.name ?? '…');
}

function Messages() {
  return h(
    'ol',
    { 'aria-live': 'polite' },
    useMessages().map((message) => h(Message, { key: message.id, message })),
  );
}

// An unchanged message stays the same object, so only the growing message renders.
const Message = memo((/** @type {{ message: import('@parley/a2a/conversation').ConversationMessage }} */ { message }) => {
  const text = message.parts.map((part) => part.text ?? `[${part.filename ?? part.mediaType ?? 'data'}]`).join('');
  return h('li', { className: message.role === 'ROLE_USER' ? 'mine' : 'theirs' }, text);
});

function Line() {
  const [text, setText] = useState('');
  const { send, cancel, isRunning } = useConversation();
  const question = useQuestion();
  /** @param {import('react').FormEvent} event */
  const submit = (event) => {
    event.preventDefault();
    void send(text, question && { answers: question.messageId });
    setText('');
  };
  /** @param {any} event a DOM event; this repository compiles without DOM types */
  const write = (event) => setText(event.target.value);
  return h(
    'form',
    { onSubmit: submit },
    h('input', { value: text, onChange: write, placeholder: question?.prompt ?? 'Write a message' }),
    // Without keys React turns one button into the other during the click on Stop, and the form is submitted.
    isRunning
      ? h('button', { key: 'stop', type: 'button', onClick: () => void cancel() }, 'Stop')
      : h('button', { key: 'send', type: 'submit', disabled: text === '' }, 'Send'),
  );
}
