import type { ReactNode } from 'react';
import { safeLink } from '../content/safe-url.js';
import { visibleName, visibleText } from '../content/visible-text.js';
import type { AgentCard } from '../ui/types.js';

const MAX_SKILLS = 200;

export function CardView({ card }: { readonly card: AgentCard }) {
  const { capabilities = {}, skills = [], provider } = card;
  const can = [
    capabilities.streaming && 'streaming',
    capabilities.pushNotifications && 'push notifications',
    capabilities.extendedAgentCard && 'extended card',
  ].filter((one) => typeof one === 'string');
  return (
    <div className="text-sm [overflow-wrap:anywhere]">
      <h3 className="text-lg font-semibold">
        <bdi>{visibleName(card.name)}</bdi>
      </h3>
      <p dir="auto" className="mt-1 whitespace-pre-wrap text-muted">
        {visibleText(card.description.slice(0, 4_000))}
      </p>
      <dl className="mt-4 grid gap-x-4 border-t border-line sm:grid-cols-[136px_minmax(0,1fr)]">
        <Fact name="Version" value={<code className="font-mono text-xs">{visibleName(card.version, 80)}</code>} />
        {provider && <Fact name="Provider" value={<Address text={provider.organization} href={provider.url} />} />}
        {card.documentationUrl && (
          <Fact name="Documentation" value={<Address text={card.documentationUrl} href={card.documentationUrl} />} />
        )}
        <Fact name="Capabilities" value={can.join(', ') || 'none declared'} />
        <Fact name="Input types" value={<Modes modes={card.defaultInputModes} />} />
        <Fact name="Output types" value={<Modes modes={card.defaultOutputModes} />} />
        <Fact
          name="Interfaces"
          value={(card.supportedInterfaces ?? []).map(({ url, protocolBinding, protocolVersion }) => (
            <div key={`${protocolBinding}${url}`} className="font-mono text-xs leading-5">
              {visibleName(protocolBinding ?? '', 40)} {visibleName(protocolVersion ?? '', 20)} <bdi>{visibleName(url)}</bdi>
            </div>
          ))}
        />
        {(capabilities.extensions ?? []).length > 0 && (
          <Fact
            name="Extensions"
            value={capabilities.extensions?.map(({ uri, description, required }) => (
              <div key={uri}>
                <bdi className="font-mono text-xs">{visibleName(uri ?? '')}</bdi>
                {required && <span className="label"> required</span>}
                {description && <p className="text-muted">{visibleText(description.slice(0, 300))}</p>}
              </div>
            ))}
          />
        )}
        <Fact
          name="Authentication"
          value={
            Object.keys(card.securitySchemes ?? {})
              .map((name) => visibleName(name, 80))
              .join(', ') || 'none'
          }
        />
      </dl>
      <h3 className="mt-6 font-semibold">Skills</h3>
      {skills.length === 0 && <p className="mt-1 text-muted">The agent card lists no skills.</p>}
      <ul className="mt-2 border-t border-line">
        {skills.slice(0, MAX_SKILLS).map((skill) => (
          <li key={skill.id} className="border-b border-line py-2">
            <bdi className="font-medium">{visibleName(skill.name, 120)}</bdi> <bdi className="label">{visibleName(skill.id, 80)}</bdi>
            <p dir="auto" className="text-muted">
              {visibleText(skill.description.slice(0, 600))}
            </p>
            <p className="label">
              {(skill.tags ?? [])
                .slice(0, 20)
                .map((tag) => visibleName(tag, 40))
                .join(' · ')}
            </p>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Fact({ name, value }: { readonly name: string; readonly value: ReactNode }) {
  return (
    <>
      <dt className="border-line pt-2 text-muted sm:border-b sm:pb-2">{name}</dt>
      <dd className="border-b border-line pb-2 sm:pt-2">{value}</dd>
    </>
  );
}

function Modes({ modes }: { readonly modes: readonly string[] | undefined }) {
  return (
    <code className="font-mono text-xs">
      {(modes ?? [])
        .slice(0, 40)
        .map((mode) => visibleName(mode, 60))
        .join(', ') || 'not specified'}
    </code>
  );
}

function Address({ text, href }: { readonly text: string; readonly href: string | undefined }) {
  const address = safeLink(href);
  if (address === undefined) return <bdi>{visibleName(text)}</bdi>;
  return (
    <a className="text-accent underline underline-offset-2" href={address} target="_blank" rel="noopener noreferrer">
      <bdi>{visibleName(text)}</bdi>
    </a>
  );
}
