/**
 * Markdown without HTML. Links are limited to safe protocols. Pictures on another origin become links, because loading one would tell that
 * server that the user viewed it.
 */
import { memo } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { CodeBlock } from './code-block.js';
import { isOwnPicture, safeLink } from './safe-url.js';

const PLUGINS = [remarkGfm];

const COMPONENTS: Components = {
  a: ({ href, children }) => <SafeLink href={href}>{children}</SafeLink>,
  img: ({ src, alt }) => {
    const address = typeof src === 'string' ? src : '';
    if (address !== '' && isOwnPicture(address)) return <img src={address} alt={alt ?? ''} className="max-h-80 max-w-full" />;
    return <SafeLink href={address}>{alt ? `Picture: ${alt}` : 'Picture'}</SafeLink>;
  },
  table: ({ children }) => (
    <div className="prose-table">
      <table>{children}</table>
    </div>
  ),
  pre: ({ node }) => {
    const code = node?.children[0];
    if (code?.type !== 'element') return null;
    const text = code.children.map((child) => (child.type === 'text' ? child.value : '')).join('');
    const [language = ''] = [code.properties.className].flat().map((name) => String(name ?? '').replace(/^language-/, ''));
    return <CodeBlock text={text.replace(/\n$/, '')} language={language} />;
  },
};

export const Markdown = memo(({ text }: { readonly text: string }) => (
  <div className="prose">
    <ReactMarkdown remarkPlugins={PLUGINS} components={COMPONENTS} urlTransform={(url) => url} skipHtml={false}>
      {text}
    </ReactMarkdown>
  </div>
));

function SafeLink({ href, children }: { readonly href: string | undefined; readonly children: React.ReactNode }) {
  const address = safeLink(href);
  if (address === undefined) return <span title="Studio does not open this address">{children}</span>;
  return (
    <a href={address} target="_blank" rel="noopener noreferrer" title={address}>
      {children}
    </a>
  );
}
