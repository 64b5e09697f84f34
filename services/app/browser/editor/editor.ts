import { EditorView } from '@codemirror/view';
import type { EditorSetup } from '../../sources/editor-setup.js';
import { element, sayFrom } from './dom.js';
import { insertFiles, takeInsertions } from './insertions.js';
import { typedSource } from './line-ends.js';
import { blockMenu, linkMenu } from './menus/menus.js';
import { pickers } from './menus/picker.js';
import { startToolbar } from './menus/toolbar.js';
import { Notes } from './notes.js';
import { PageSettings } from './page-settings.js';
import { pendingInsertions } from './pending.js';
import { Preview } from './preview.js';
import { Saving } from './saving.js';
import { openView } from './view.js';

/** Puts the editor in place of the text box of a form, which works without it as well. */
function openEditor(form: HTMLFormElement): void {
  const part = (name: string) => form.querySelector<HTMLElement>(`[data-editor-${name}]`) as HTMLElement;
  const box = form.elements.namedItem('markdown') as HTMLTextAreaElement;
  const setup = JSON.parse(form.dataset.editor as string) as EditorSetup;
  const say = sayFrom(setup);
  const notes = new Notes(part('status'), part('trouble'));
  const inserting = { setup, say, warn: (message: string) => notes.warn('file', message) };
  const view = openView({
    parent: part('text'),
    setup,
    text: box.value,
    language: box.lang === '' ? {} : { lang: box.lang, dir: box.dir },
    label: say('text'),
    describedBy: part('help').id,
    extensions: [
      pickers([blockMenu(setup, say), linkMenu(setup, say)], say),
      pendingInsertions,
      takeInsertions(inserting),
      EditorView.updateListener.of((update) => {
        if (!update.docChanged) return;
        saving.keeper.changed();
        preview.changed();
        settings.update(update);
      }),
    ],
  });
  const saving = new Saving({ view, setup, say, notes });
  const preview = new Preview(part('preview'), { url: setup.urls.preview, read: () => typedSource(view.state), say });
  const settings = new PageSettings(view, say);
  part('settings').append(settings.root);
  part('settings').hidden = false;
  startToolbar(part('tools'), view, {
    blocks: setup.blocks,
    insertFiles: (files) => void insertFiles(view, inserting, files, view.state.selection.main.head),
  });
  form.addEventListener('submit', (event) => {
    if (event.defaultPrevented) return;
    event.preventDefault();
    const action = event.submitter?.getAttribute('value') ?? '';
    if (action === 'save') return void saving.save();
    void saving.giveUp().then(() => {
      form.append(element('input', { type: 'hidden', name: 'action', value: action }));
      form.submit();
    });
  });
  form.addEventListener('keydown', (event) => {
    if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey) || event.altKey) return;
    event.preventDefault();
    void saving.save();
  });
  startPreviewSwitch(part('preview-switch') as HTMLButtonElement, preview);
  box.hidden = true;
  box.disabled = true;
  form.classList.add('is-open');
}

/** Beside the text there is room on a wide screen; on a phone the page takes its place. */
function startPreviewSwitch(button: HTMLButtonElement, preview: Preview): void {
  const set = (isVisible: boolean) => {
    preview.toggle(isVisible);
    button.setAttribute('aria-pressed', String(isVisible));
  };
  button.addEventListener('click', () => set(!preview.isVisible));
  button.hidden = false;
  set(matchMedia('(min-width: 70rem)').matches);
}

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-editor]')) openEditor(form);
