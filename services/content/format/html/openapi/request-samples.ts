import { exampleValue, isJson, mediaTypesOf, parameterExample, schemaOfMedia } from './media-examples.js';
import { type Authorization, authorizationsOf, type Operation } from './operations.js';
import { sampleOf } from './sampled-values.js';
import type { SpecPage } from './spec-page.js';
import { isSpecObject, type SpecObject, specEntries, specText, writeJson } from './spec-values.js';

export interface RequestSample {
  /** As tabs are named. */
  title: string;
  language: 'bash' | 'javascript' | 'python';
  code: string;
}

interface Request {
  method: string;
  url: string;
  headers: [name: string, value: string][];
  body?: { kind: 'json' | 'form' | 'multipart'; value: unknown } | { kind: 'text'; value: string };
}

/** The request of an operation in the languages that samples are in. */
export function requestSamples(page: SpecPage, operation: Operation): RequestSample[] {
  const request = requestOf(page, operation);
  const samples: RequestSample[] = [
    { title: 'cURL', language: 'bash', code: curlSample(request) },
    { title: 'JavaScript', language: 'javascript', code: javaScriptSample(request) },
    { title: 'Python', language: 'python', code: pythonSample(request) },
  ];
  return page.compact ? samples.slice(0, 1) : samples;
}

const maxShownParameters = 20;
const maxBodyLength = 4000;

function requestOf(page: SpecPage, operation: Operation): Request {
  const [server = ''] = operation.servers;
  const base = /^https?:/i.test(server) ? server : `https://api.example.com${server.startsWith('/') ? server : ''}`;
  const shown = operation.parameters.slice(0, 200).filter((one) => one.required === true || one.in === 'path');
  const query: string[] = [];
  const headers: Request['headers'] = [];
  let { path } = operation;
  for (const parameter of shown.slice(0, maxShownParameters)) {
    const name = specText(parameter.name, 100);
    const value = parameterText(page, parameter);
    if (parameter.in === 'path' && parameterExample(page, parameter) !== undefined)
      path = path.replaceAll(`{${name}}`, encodeURIComponent(value));
    else if (parameter.in === 'query') query.push(`${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
    else if (parameter.in === 'header') headers.push([name, value]);
  }
  for (const one of authorizationsOf(page, operation)[0] ?? []) addAuthorization(one, headers, query);
  const body = bodyOf(page, operation);
  if (body) headers.push(['Content-Type', body.type]);
  return {
    method: operation.method.toUpperCase(),
    url: `${base}${specText(path, 2000)}${query.length > 0 ? `?${query.join('&')}` : ''}`,
    headers: headers.map(([name, value]) => [name, value.replace(/[\r\n]+/g, ' ')]),
    ...(body ? { body: body.body } : {}),
  };
}

function parameterText(page: SpecPage, parameter: SpecObject): string {
  const value = parameterExample(page, parameter) ?? sampleOf(page.shapes, parameter.schema, 'request') ?? 'text';
  return typeof value === 'object'
    ? writeJson(value, { maxCharacters: 200, indent: '' })
    : specText(String(value), 200);
}

function addAuthorization({ scheme }: Authorization, headers: Request['headers'], query: string[]): void {
  const kind = specText(scheme.type);
  const name = specText(scheme.name, 100);
  if (kind === 'apiKey' && scheme.in === 'query') query.push(`${encodeURIComponent(name)}=YOUR_API_KEY`);
  else if (kind === 'apiKey')
    headers.push(scheme.in === 'cookie' ? ['Cookie', `${name}=YOUR_API_KEY`] : [name, 'YOUR_API_KEY']);
  else if (kind === 'http' && /^basic$/i.test(specText(scheme.scheme)))
    headers.push(['Authorization', 'Basic YOUR_CREDENTIALS']);
  else if (kind !== '' && kind !== 'mutualTLS') headers.push(['Authorization', 'Bearer YOUR_TOKEN']);
}

function bodyOf(page: SpecPage, { own }: Operation): { type: string; body: NonNullable<Request['body']> } | undefined {
  const types = mediaTypesOf(page, page.references.object(own.requestBody)?.content);
  const found = types.find(([type]) => isJson(type)) ?? types[0];
  if (!found) return undefined;
  const [type, media] = found;
  const value = exampleValue(page, found) ?? sampleOf(page.shapes, schemaOfMedia(media), 'request');
  if (isJson(type)) return { type, body: { kind: 'json', value: value ?? {} } };
  const form = /^multipart\//i.test(type) ? 'multipart' : /x-www-form-urlencoded/i.test(type) ? 'form' : undefined;
  if (form && isSpecObject(value)) return { type, body: { kind: form, value } };
  return { type, body: { kind: 'text', value: typeof value === 'string' ? specText(value, maxBodyLength) : '' } };
}

const json = (value: unknown, indent = '  ') => writeJson(value, { maxCharacters: maxBodyLength, indent });
const indented = (text: string, by: string) => text.replaceAll('\n', `\n${by}`);
const shellQuote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
const quoted = (text: string) => JSON.stringify(text);
const formFields = (value: unknown) =>
  specEntries(value, maxShownParameters).map(([name, field]): [string, string] => [
    specText(name, 100),
    typeof field === 'string' ? specText(field) : json(field, ''),
  ]);

function curlSample({ method, url, headers, body }: Request): string {
  const lines = [`curl${method === 'GET' ? '' : ` -X ${method}`} ${shellQuote(url)}`];
  for (const [name, value] of headers)
    if (body?.kind !== 'multipart' || name !== 'Content-Type') lines.push(`-H ${shellQuote(`${name}: ${value}`)}`);
  if (body?.kind === 'json') lines.push(`-d ${shellQuote(json(body.value))}`);
  else if (body?.kind === 'text') lines.push(`--data-binary ${body.value === '' ? '@file' : shellQuote(body.value)}`);
  else if (body)
    for (const [name, value] of formFields(body.value))
      lines.push(`${body.kind === 'form' ? '--data-urlencode' : '-F'} ${shellQuote(`${name}=${value}`)}`);
  return lines.join(' \\\n  ');
}

const headerObject = ({ headers, body }: Request): Record<string, string> =>
  Object.fromEntries(headers.filter(([name]) => body?.kind !== 'multipart' || name !== 'Content-Type'));

function javaScriptSample(request: Request): string {
  const { method, url, body } = request;
  const headers = headerObject(request);
  const options = [
    ...(method === 'GET' ? [] : [`method: ${quoted(method)}`]),
    ...(Object.keys(headers).length === 0 ? [] : [`headers: ${json(headers)}`]),
    ...(body ? [`body: ${javaScriptBody(body)}`] : []),
  ].map((option) => `  ${indented(option, '  ')},\n`);
  const form =
    body?.kind === 'multipart'
      ? `const form = new FormData();\n${formFields(body.value)
          .map(([name, value]) => `form.append(${quoted(name)}, ${quoted(value)});\n`)
          .join('')}\n`
      : '';
  const more = options.length === 0 ? '' : `, {\n${options.join('')}}`;
  return `${form}const response = await fetch(${quoted(url)}${more});\nconst data = await response.json();`;
}

function javaScriptBody({ kind, value }: NonNullable<Request['body']>): string {
  if (kind === 'json') return `JSON.stringify(${json(value)})`;
  if (kind === 'multipart') return 'form';
  return kind === 'form'
    ? `new URLSearchParams(${json(Object.fromEntries(formFields(value)))})`
    : quoted(String(value));
}

function pythonSample(request: Request): string {
  const { method, url, body } = request;
  const headers = headerObject(request);
  const isKnown = /^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)$/.test(method);
  const options = [
    ...(isKnown ? [] : [quoted(method)]),
    quoted(url),
    ...(Object.keys(headers).length === 0 ? [] : [`headers=${pythonValue(headers)}`]),
    ...(body ? [pythonBody(body)] : []),
  ].map((option) => `    ${indented(option, '    ')},\n`);
  return `import requests\n\nresponse = requests.${isKnown ? method.toLowerCase() : 'request'}(\n${options.join('')})\nprint(response.json())`;
}

function pythonBody({ kind, value }: NonNullable<Request['body']>): string {
  if (kind === 'json') return `json=${pythonValue(value)}`;
  if (kind === 'text') return `data=${quoted(String(value))}`;
  const fields = Object.fromEntries(formFields(value));
  return `${kind === 'form' ? 'data' : 'files'}=${pythonValue(fields)}`;
}

/** The literal of a JSON value: only `true`, `false` and `null` are written in another way. */
const pythonValue = (value: unknown): string =>
  json(value, '    ').replace(/"(?:[^"\\]|\\.)*"|\b(?:true|false|null)\b/g, (part) => pythonNames[part] ?? part);

const pythonNames: Record<string, string | undefined> = { true: 'True', false: 'False', null: 'None' };
