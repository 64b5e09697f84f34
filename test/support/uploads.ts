import { done } from './requests/setting.js';
import type { Client } from './server.js';

interface Sent {
  kind: 'customization_font' | 'import_file';
  name: string;
  type: string;
  bytes: Buffer;
}

/** Sends bytes to the URL of an upload. */
export const putUpload = (url: string, bytes: Buffer, type: string): Promise<Response> =>
  fetch(url, { method: 'PUT', body: new Uint8Array(bytes), headers: { 'content-type': type } });

/** Uploads a file, and returns its key. */
export async function uploaded(
  client: Client,
  organization: string,
  { kind, name, type, bytes }: Sent,
): Promise<string> {
  const file = { name, type, size: bytes.length };
  const { url, key } = await done(client.post(`/v1/orgs/${organization}/storage/upload`, { file, kind }));
  const answer = await putUpload(url, bytes, type);
  if (answer.status !== 204) throw new Error(`${answer.status} ${await answer.text()}`);
  return key;
}

/** A file in a web format, as far as its header says. */
export const webFont = (format: 'woff2' | 'woff', text = 'glyphs'): Buffer => {
  const body = Buffer.from(text);
  const header = Buffer.from(`${format === 'woff2' ? 'wOF2' : 'wOFF'}\0\u0001\0\0\0\0\0\0`, 'latin1');
  header.writeUInt32BE(header.length + body.length, 8);
  return Buffer.concat([header, body]);
};

/** Uploads a font, and returns its key. */
export const uploadedFont = (client: Client, organization: string, bytes: Buffer): Promise<string> =>
  uploaded(client, organization, { kind: 'customization_font', name: 'Acme.woff2', type: 'font/woff2', bytes });
