import { apiError, invalid } from '../../../shared/errors/errors.js';

/** A file that a form uploads. */
export interface UploadedFile {
  name: string;
  contentType: string;
  bytes: Buffer;
}

/** The fields of a form that was sent. */
export class FormFields {
  constructor(
    private readonly values: ReadonlyMap<string, readonly string[]>,
    private readonly uploads: ReadonlyMap<string, readonly UploadedFile[]> = new Map(),
  ) {}

  /** The value of a field, without spaces around it; empty where it was not sent. */
  text(name: string): string {
    return this.raw(name).trim();
  }

  /** The value of a field as it was sent. */
  raw(name: string): string {
    return this.values.get(name)?.at(-1) ?? '';
  }

  /** The value; undefined where it is empty. */
  optional(name: string): string | undefined {
    return this.text(name) || undefined;
  }

  all(name: string): readonly string[] {
    return this.values.get(name) ?? [];
  }

  /** The value that a script of ours wrote as JSON. Throws 400 for anything else. */
  json(name: string): unknown {
    try {
      return JSON.parse(this.raw(name));
    } catch {
      throw invalid(`${name}: must be JSON`);
    }
  }

  /** Whether a box is ticked. */
  isOn(name: string): boolean {
    return this.values.has(name);
  }

  /** The files of a field; a field without a file has none. */
  files(name: string): readonly UploadedFile[] {
    return this.uploads.get(name) ?? [];
  }
}

/** Fields of one form; a screen with more is none of ours. */
const maxFields = 2000;
/** Bytes of a form without files: it is read in one go. */
const maxEncoded = 1024 * 1024;

/** Reads the body of a form. Throws 413 for a long one without files, and 415 for what is no form. */
export async function readForm(body: Buffer, contentType: string): Promise<FormFields> {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase();
  if (type === 'application/x-www-form-urlencoded') {
    if (body.length > maxEncoded) throw apiError('TOO_LARGE', 'The form is too large');
    return collectFields(new URLSearchParams(body.toString()));
  }
  if (type === 'multipart/form-data') return readParts(body, contentType);
  throw apiError('UNSUPPORTED_MEDIA_TYPE', 'Send a form');
}

function collectFields(entries: Iterable<[string, string]>): FormFields {
  const values = new Map<string, string[]>();
  let fields = 0;
  for (const [name, value] of entries) {
    fields += 1;
    if (fields > maxFields) throw invalid('the form: too many fields');
    addTo(values, name, value);
  }
  return new FormFields(values);
}

const addTo = <T>(lists: Map<string, T[]>, name: string, value: T) =>
  lists.set(name, [...(lists.get(name) ?? []), value]);

/** Whether a body has more parts than a form of ours: counted before they are taken apart, which costs more the more there are. */
function hasTooManyParts(body: Buffer, contentType: string): boolean {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^\s;"]+))/i.exec(contentType) ?? [];
  const boundary = `--${quoted ?? plain ?? ''}`;
  let at = body.indexOf(boundary);
  for (let parts = 0; at >= 0; parts++) {
    if (parts > maxFields) return true;
    at = body.indexOf(boundary, at + boundary.length);
  }
  return false;
}

async function readParts(body: Buffer, contentType: string): Promise<FormFields> {
  if (hasTooManyParts(body, contentType)) throw invalid('the form: too many fields');
  const form = await new Response(new Uint8Array(body), { headers: { 'Content-Type': contentType } })
    .formData()
    .catch(() => {
      throw invalid('the form: cannot be read');
    });
  const values = new Map<string, string[]>();
  const uploads = new Map<string, UploadedFile[]>();
  for (const [name, value] of form as unknown as Iterable<[string, string | File]>) {
    if (typeof value === 'string') addTo(values, name, value);
    else if (value.size > 0 || value.name !== '')
      addTo(uploads, name, {
        name: value.name,
        contentType: value.type,
        bytes: Buffer.from(await value.arrayBuffer()),
      });
  }
  return new FormFields(values, uploads);
}
