import { useQuestion } from '@parley/a2a/react';
import { useEffect, useId, useState } from 'react';
import { visibleText } from '../content/visible-text.js';
import { useThisConversation } from '../state/session.js';
import { COMPOSER_ID } from './composer.js';

/** The agent's open question. The user replies in the composer below; two buttons answer a request for permission. */
export function QuestionPanel() {
  const question = useQuestion();
  const title = useId();
  useEffect(() => {
    if (question?.want === 'input') document.getElementById(COMPOSER_ID)?.focus();
  }, [question?.want]);
  if (!question) return null;
  return (
    <section aria-labelledby={title} className="column">
      <div className="rounded-t-sm border border-b-0 border-accent bg-tint px-3 py-2">
        <h2 id={title} className="label text-accent!">
          The agent asks
        </h2>
        <p dir="auto" className="max-h-40 overflow-y-auto whitespace-pre-wrap [overflow-wrap:anywhere]">
          {visibleText(question.prompt.slice(0, 4_000)) || 'The agent gave no details.'}
        </p>
        {question.want === 'auth' && <Permission key={question.messageId} messageId={question.messageId} />}
      </div>
    </section>
  );
}

function Permission({ messageId }: { readonly messageId: string }) {
  const conversation = useThisConversation();
  const [problem, setProblem] = useState<string>();
  const answer = (text: string) => {
    conversation.send(text, { answers: messageId }).catch((error: Error) => setProblem(error.message));
  };
  return (
    <div className="mt-2 mb-1 flex flex-wrap items-center gap-2">
      <button type="button" className="filled" onClick={() => answer('yes')}>
        Allow
      </button>
      <button type="button" className="boxed" onClick={() => answer('no')}>
        Deny
      </button>
      {problem && (
        <p role="alert" className="text-sm">
          {visibleText(problem)}
        </p>
      )}
    </div>
  );
}
