import type { Translation } from '../words.js';

export const japaneseMoving: Translation['moving'] = {
  move: '移動',
  moveText: 'アクセス権を継承している場合は、移動先のものになります。',
  to: '移動先',
  order: '並び順',
  place: '位置',
  first: '先頭',
  after: '「{0}」の後',
  copy: 'コピーを作成',
  copyText: 'ページと設定を含みます。履歴、変更リクエスト、コメントは含みません。',
  transfer: '別の組織へ移管',
  transferText:
    '中身はすべて移ります。移管先のメンバーでない人、チーム、連携はアクセスできなくなり、他のスペースからのリンクは切れます。アクセス権を継承している場合は、移管先の全メンバーがアクセスできます。',
  organization: '組織',
  transferConfirm: '「{0}」を別の組織へ移管しますか？',
};

export const japaneseTemplates: Translation['templates'] = {
  template: 'テンプレート',
  none: '空',
  begin: 'テンプレートで始める',
  apply: 'スペースに入れる',
  documentation: 'ドキュメント',
  apiReference: 'API リファレンス',
  knowledgeBase: 'ナレッジベース',
  changelog: '変更履歴',
};
