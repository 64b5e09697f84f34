import type { ComponentChild, VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { marks } from '../marks.js';
import { sampleTabs } from './code-samples.js';
import { description } from './field-facts.js';
import { mediaTypesOf, parameterExample, schemaOfMedia } from './media-examples.js';
import type { Operation } from './operations.js';
import { RowShares, type Rows } from './row-shares.js';
import { fieldContent, fieldItem, schemaBody, schemaPlace } from './schema-view.js';
import { type SpecPage, sharedHtml } from './spec-page.js';
import { isSpecObject, type SpecObject, specEntries, specText } from './spec-values.js';

type Side = 'request' | 'response';

/** A body by its media types: the schema of one, or tabs. */
function contentView(page: SpecPage, content: unknown, { rows, side }: { rows: Rows; side: Side }): ComponentChild {
  const types = mediaTypesOf(page, content);
  const share = new RowShares(rows, 0, types.length);
  const tabs = types.map(([type, media]) => {
    const schema = schemaOfMedia(media);
    const title = specText(type, 100);
    const shown = share.within((own) =>
      schema === undefined ? null : schemaBody(page, schema, schemaPlace(own, side)),
    );
    return { title, content: types.length > 1 ? shown : [mediaTypeLine(title), shown] };
  });
  return sampleTabs(page, tabs);
}

const mediaTypeLine = (type: string): VNode => (
  <p class="media-type">
    <code>{type}</code>
  </p>
);

export function requestBodyView(page: SpecPage, { own, kind }: Operation, rows: Rows): VNode | null {
  const body = page.references.object(own.requestBody);
  if (!body) return null;
  return (
    <div class="operation-part">
      <h3 class="operation-part-title">
        {marks.word(kind === 'webhook' ? 'webhookBody' : 'body')}
        {body.required === true ? <span class="field-required">{marks.word('required')}</span> : null}
      </h3>
      {description(page, body.description)}
      {contentView(page, body.content, { rows, side: 'request' })}
    </div>
  );
}

const places = [
  ['path', 'pathParameters'],
  ['query', 'queryParameters'],
  ['querystring', 'queryParameters'],
  ['header', 'headerParameters'],
  ['cookie', 'cookieParameters'],
] as const;

/** The parameters of an operation by the place that they are sent in; all of them. */
export function parametersView(page: SpecPage, { parameters }: Operation, rows: Rows): ComponentChild {
  const share = new RowShares(rows, 0, parameters.length);
  return places.map(([place, word]) => {
    const found = parameters.filter((parameter) => parameter.in === place);
    return found.length === 0 ? null : (
      <div class="operation-part">
        <h3 class="operation-part-title">{marks.word(word)}</h3>
        <ul class="fields">{found.map((parameter) => share.within((own) => parameterItem(page, parameter, own)))}</ul>
      </div>
    );
  });
}

function parameterItem(page: SpecPage, parameter: SpecObject, rows: Rows): VNode {
  const [media] = mediaTypesOf(page, parameter.content);
  const field = {
    name: specText(parameter.name),
    schema: media ? schemaOfMedia(media[1]) : (parameter.schema ?? {}),
    isRequired: parameter.required === true,
    isDeprecated: parameter.deprecated === true,
    text: parameter.description,
    example: parameterExample(page, parameter),
  };
  if (!page.compact) return fieldItem(page, field, schemaPlace(rows));
  const html = sharedHtml(page, parameter, () => renderToString(fieldContent(page, field, schemaPlace(rows))));
  return <li class="field" dangerouslySetInnerHTML={{ __html: html }} />;
}

const maxResponses = 60;

/** The responses of an operation, by status. The first that succeeds is open where there is room for it. */
export function responsesView(
  page: SpecPage,
  { own }: Operation,
  options: { rows: Rows; isOpen: boolean },
): VNode | null {
  const responses = specEntries(own.responses, maxResponses).filter(([status]) => !status.startsWith('x-'));
  if (responses.length === 0) return null;
  const opened = options.isOpen ? responses.find(([status]) => /^2/.test(status))?.[0] : undefined;
  const share = new RowShares(options.rows, 0, responses.length);
  return (
    <div class="operation-part">
      <h3 class="operation-part-title">{marks.word('responses')}</h3>
      <ul class="responses">
        {responses.map(([status, part]) =>
          share.within((rows) => responseItem(page, { status, part }, { rows, isOpen: status === opened })),
        )}
      </ul>
    </div>
  );
}

function responseItem(
  page: SpecPage,
  { status, part }: { status: string; part: unknown },
  options: { rows: Rows; isOpen: boolean },
): VNode {
  const { value, pointer } = page.references.follow(part);
  const view = () => responseView(page, { status, response: isSpecObject(value) ? value : {} }, options);
  if (!page.compact || pointer === undefined) return <li>{view()}</li>;
  const html = sharedHtml(page, `${status} ${pointer}`, () => renderToString(view()));
  return <li dangerouslySetInnerHTML={{ __html: html }} />;
}

const statusClass = (status: string) => (/^[1-5]/.test(status) ? `status status-${status[0]}` : 'status');

function responseView(
  page: SpecPage,
  { status, response }: { status: string; response: SpecObject },
  { rows, isOpen }: { rows: Rows; isOpen: boolean },
): VNode {
  const headers = specEntries(response.headers, 100);
  const [line, isWhole] = firstLine(response.description);
  const summary = specText(response.summary) || line;
  const content = contentView(page, response.content, { rows, side: 'response' });
  const more = isWhole && summary === line ? null : description(page, response.description);
  const head = (
    <>
      <code class={statusClass(status)}>{status === 'default' ? marks.word('default') : specText(status, 20)}</code>
      <span class="response-summary"> {summary}</span>
    </>
  );
  // A part that opens to say that there is nothing is a nuisance.
  if (headers.length === 0 && content === null && more === null) return <p class="response response-empty">{head}</p>;
  return (
    <details class="response" open={isOpen}>
      <summary>{head}</summary>
      {more}
      {headers.length === 0 ? null : headersView(page, headers)}
      {content ?? <p class="no-content">{marks.word('noContent')}</p>}
    </details>
  );
}

/** A short plain text for one line, and whether it is all of the text. */
function firstLine(text: unknown): [line: string, isWhole: boolean] {
  const all = specText(text, 5000).trim();
  const isPlain = all.length <= 120 && !/[\n`*_[\]<>]/.test(all);
  return isPlain ? [all, true] : ['', false];
}

const headersView = (page: SpecPage, headers: [string, unknown][]): VNode => (
  <details class="fields-of">
    <summary>
      {marks.word('headers')} <span class="count">{headers.length}</span>
    </summary>
    <ul class="fields">
      {headers.map(([name, part]) => parameterItem(page, { ...page.references.object(part), name }, { left: 0 }))}
    </ul>
  </details>
);
