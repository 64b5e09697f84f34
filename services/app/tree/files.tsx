import type { VNode } from 'preact';
import type { FileResource } from '../../content/resources.js';
import { Emblem, Empty, Pager, Row, Rows, Section } from '../elements/elements.js';
import { Button, Form } from '../elements/forms.js';
import type { ScreenRequest } from '../frame/screen.js';

interface Shown {
  files: { items: FileResource[]; next?: { page: string } | undefined };
  base: string;
  revision: string;
}

/** The files of the content, and how others are added. */
export function filesSection(request: ScreenRequest, { files, base }: Shown): VNode {
  const { words, formToken, locale } = request;
  const { tree, imports } = words;
  return (
    <Section title={tree.files} id="files">
      {files.items.length === 0 && <Empty>{tree.noFiles}</Empty>}
      <Rows label={tree.files}>
        {files.items.map((file) => (
          <Row
            href={file.downloadURL}
            title={file.name}
            lead={<Emblem fallback={file.contentType.startsWith('image/') ? 'image' : 'file-lines'} />}
            about={`${file.contentType} · ${sizeText(file.size, locale)}`}
          />
        ))}
      </Rows>
      <Pager next={files.next && `${base}?files=${encodeURIComponent(files.next.page)}#files`} text={tree.moreFiles} />
      <Form token={formToken} action="upload" files class="inline">
        <p class="form-field">
          <label for="field-upload">{imports.files}</label>
          <input id="field-upload" type="file" name="files" multiple required />
        </p>
        <Button>{tree.upload}</Button>
      </Form>
    </Section>
  );
}

/** The size of a file for people: in bytes below one kilobyte. */
function sizeText(bytes: number, locale: string): string {
  const [size, unit] = bytes < 1000 ? [bytes, 'byte'] : [bytes / 1000, 'kilobyte'];
  // A short `byte` has no plural.
  const unitDisplay = unit === 'byte' ? 'long' : 'short';
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay, maximumSignificantDigits: 3 }).format(size);
}
