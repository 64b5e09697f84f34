import type { Translation } from '../words.js';

export const germanMoving: Translation['moving'] = {
  move: 'Verschieben',
  moveText: 'Wo der Zugriff geerbt wird, gilt danach der des neuen Ortes.',
  to: 'Nach',
  order: 'Reihenfolge',
  place: 'Platz',
  first: 'Zuerst',
  after: 'Nach „{0}“',
  copy: 'Kopie anlegen',
  copyText: 'Mit Seiten und Einstellungen, ohne Verlauf, Änderungsanträge und Kommentare.',
  transfer: 'In eine andere Organisation übertragen',
  transferText:
    'Alles darin geht mit. Wer dort nicht Mitglied ist, verliert den Zugriff, ebenso Teams und Integrationen, und Links aus anderen Spaces führen ins Leere. Wo der Zugriff geerbt wird, haben ihn alle Mitglieder dort.',
  organization: 'Organisation',
  transferConfirm: '„{0}“ in eine andere Organisation übertragen?',
};

export const germanTemplates: Translation['templates'] = {
  template: 'Vorlage',
  none: 'Leer',
  begin: 'Mit einer Vorlage beginnen',
  apply: 'Space füllen',
  documentation: 'Dokumentation',
  apiReference: 'API-Referenz',
  knowledgeBase: 'Wissensdatenbank',
  changelog: 'Änderungsprotokoll',
};
