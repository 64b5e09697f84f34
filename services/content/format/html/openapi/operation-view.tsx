import type { ComponentChild, VNode } from 'preact';
import { marks } from '../marks.js';
import { parametersView, requestBodyView, responsesView } from './bodies-view.js';
import { codeFigure, type SampleTab, sampleTabs } from './code-samples.js';
import { description } from './field-facts.js';
import { examplesOf, mediaTypesOf } from './media-examples.js';
import { type Authorization, authorizationsOf, type Operation, operationOf } from './operations.js';
import { requestSamples } from './request-samples.js';
import { RowShares } from './row-shares.js';
import type { SpecPage } from './spec-page.js';
import { isSpecObject, specEntries, specText } from './spec-values.js';

interface OperationOptions {
  /** The anchor of the section. */
  id: string;
  /** The first response is open. */
  isOpen: boolean;
}

export function operationView(page: SpecPage, operation: Operation, { id, isOpen }: OperationOptions): VNode {
  const { own, kind } = operation;
  const samples = samplesView(page, operation);
  return (
    <section class="operation" id={id} aria-labelledby={`${id}-title`}>
      <div class="heading">
        <h2 id={`${id}-title`}>{operationTitle(operation)}</h2>
        {/* biome-ignore lint/a11y/useAnchorContent: its label is its name. */}
        <a class="anchor" href={`#${id}`} aria-label={marks.word('copyLink')} />
        {own.deprecated === true ? <span class="deprecated">{marks.word('deprecated')}</span> : null}
      </div>
      {addressLine(operation)}
      {description(page, own.description)}
      <div class="operation-columns">
        <div class="operation-facts">
          {serversView(operation)}
          {authorizationsView(page, operation)}
          {partsView(page, operation, isOpen)}
          {kind === 'callback' ? null : callbacksView(page, operation)}
        </div>
        {samples.length === 0 ? null : <div class="operation-samples">{samples}</div>}
      </div>
    </section>
  );
}

/** The summary; the method and path of an operation that has none. */
export const operationTitle = ({ own, method, path }: Operation): string =>
  specText(own.summary, 1000).trim() || `${method.toUpperCase()} ${specText(path)}`;

function partsView(page: SpecPage, operation: Operation, isOpen: boolean): ComponentChild {
  const share = new RowShares({ left: page.maxRows }, 0, 3);
  return (
    <>
      {share.within((rows) => parametersView(page, operation, rows))}
      {share.within((rows) => requestBodyView(page, operation, rows))}
      {share.within((rows) => responsesView(page, operation, { rows, isOpen }))}
    </>
  );
}

const knownMethods = new Set(['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'trace', 'query']);

function addressLine({ method, path, servers, kind }: Operation): VNode {
  const known = knownMethods.has(method.toLowerCase()) ? method.toLowerCase() : 'other';
  return (
    <p class="operation-address">
      <span class={`method method-${known}`}>{method.toUpperCase()}</span>{' '}
      <code class="operation-path">
        {servers.length === 1 && kind === 'operation' ? <span class="operation-server">{servers[0]}</span> : null}
        {pathParts(specText(path, 2000))}
      </code>
    </p>
  );
}

/** A path with its parameters told apart. */
const pathParts = (path: string): ComponentChild[] =>
  path
    .split(/(\{[^{}]{1,200}\})/)
    .map((part, at) => (at % 2 === 1 ? <span class="path-parameter">{part}</span> : part));

function serversView({ servers }: Operation): VNode | null {
  if (servers.length < 2) return null;
  return (
    <div class="operation-part">
      <h3 class="operation-part-title">{marks.word('servers')}</h3>
      <ul class="servers">
        {servers.map((url) => (
          <li>
            <code>{url}</code>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Each entry of the list is a way to be authorized; a way may need several schemes. */
function authorizationsView(page: SpecPage, operation: Operation): VNode | null {
  const ways = authorizationsOf(page, operation);
  if (ways.length === 0) return null;
  return (
    <div class="operation-part">
      <h3 class="operation-part-title">{marks.word('authorizations')}</h3>
      <ul class="fields">
        {ways.map((way) => (
          <li class="field">
            {way.length === 0 ? (
              <span class="field-flag">{marks.word('optional')}</span>
            ) : (
              way.map((one) => authorizationView(page, one))
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

function authorizationView(page: SpecPage, { name, scheme, scopes }: Authorization): ComponentChild {
  return (
    <>
      <div class="field-line">
        <code class="field-name">{name}</code>
        <span class="field-type">{schemeKind(scheme)}</span>
      </div>
      {description(page, scheme.description)}
      {scopes.length === 0 ? null : (
        <ul class="constraints">
          {scopes.map((scope) => (
            <li>
              <code>{scope}</code>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** The kind of a security scheme, with the header or the parameter that it needs. */
function schemeKind(scheme: Record<string, unknown>): ComponentChild {
  const type = specText(scheme.type, 40);
  if (type === 'apiKey') return [`API key (${specText(scheme.in, 20)}) `, <code>{specText(scheme.name, 100)}</code>];
  if (type === 'http') return `HTTP ${specText(scheme.scheme, 40)}`;
  if (type === 'oauth2') return `OAuth 2.0${flowNames(scheme.flows)}`;
  return { openIdConnect: 'OpenID Connect', mutualTLS: 'Mutual TLS' }[type] ?? type;
}

const flowNames = (flows: unknown) => {
  const names = specEntries(flows, 5).map(([name]) => specText(name, 40));
  return names.length === 0 ? '' : ` (${names.join(', ')})`;
};

/** The request in several languages, and an example of each response. */
function samplesView(page: SpecPage, operation: Operation): VNode[] {
  if (page.maxExample === 0) return [];
  const request =
    operation.kind === 'operation'
      ? requestSamples(page, operation).map(({ title, code, language }) => ({
          title,
          content: codeFigure(page, { title: page.compact ? title : '', code, language }),
        }))
      : bodyExamples(page, page.references.object(operation.own.requestBody)?.content, 'request');
  const responses = specEntries(operation.own.responses, page.compact ? 1 : 8).flatMap(
    ([status, part]): SampleTab[] => {
      const examples = bodyExamples(page, page.references.object(part)?.content, 'response');
      return examples.length === 0
        ? []
        : [{ title: specText(status, 20), content: examples.map(({ content }) => content) }];
    },
  );
  return [
    { word: 'example' as const, tabs: request },
    { word: 'response' as const, tabs: responses },
  ].flatMap(({ word, tabs }) =>
    tabs.length === 0
      ? []
      : [
          <div class="operation-sample">
            <h3 class="operation-part-title">{marks.word(word)}</h3>
            {sampleTabs(page, tabs)}
          </div>,
        ],
  );
}

function bodyExamples(page: SpecPage, content: unknown, side: 'request' | 'response'): SampleTab[] {
  return mediaTypesOf(page, content)
    .slice(0, page.compact ? 1 : 3)
    .flatMap((media) =>
      examplesOf(page, media, side).map(({ title, text, language }) => ({
        title: title || specText(media[0], 100),
        content: codeFigure(page, { title: title || specText(media[0], 100), code: text, language }),
      })),
    );
}

const maxCallbacks = 20;

function callbacksView(page: SpecPage, { own }: Operation): VNode | null {
  const callbacks = specEntries(own.callbacks, maxCallbacks).flatMap(([name, part]) =>
    specEntries(page.references.object(part), maxCallbacks).flatMap(([path, item]) =>
      specEntries(page.references.object(item), 20).flatMap(([method, value]) => {
        const isMethod = isSpecObject(value) && knownMethods.has(method);
        const found = isMethod && operationOf(page, page.references.object(item), { kind: 'callback', path, method });
        return found ? [{ name, operation: found }] : [];
      }),
    ),
  );
  if (callbacks.length === 0) return null;
  const small = { ...page, maxRows: Math.ceil(page.maxRows / callbacks.length / 2) };
  return (
    <div class="operation-part">
      <h3 class="operation-part-title">{marks.word('callbacks')}</h3>
      {callbacks.map(({ name, operation }) => (
        <details class="callback">
          <summary>
            <code>{specText(name, 200)}</code> {specText(operation.own.summary)}
          </summary>
          {addressLine(operation)}
          {description(page, operation.own.description)}
          {partsView(small, operation, false)}
        </details>
      ))}
    </div>
  );
}
