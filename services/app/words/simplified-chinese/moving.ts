import type { Translation } from '../words.js';

export const simplifiedChineseMoving: Translation['moving'] = {
  move: '移动',
  moveText: '继承的访问权限将变为新位置的权限。',
  to: '移动到',
  order: '顺序',
  place: '位置',
  first: '最前',
  after: '在“{0}”之后',
  copy: '创建副本',
  copyText: '包含页面和设置，不包含历史记录、变更请求和评论。',
  transfer: '转移到其他组织',
  transferText:
    '其中所有内容都会一起转移。不是该组织成员的人、团队和集成将失去访问权限，其他空间指向它的链接会失效。继承访问权限的地方，该组织的所有成员都可访问。',
  organization: '组织',
  transferConfirm: '要将“{0}”转移到其他组织吗？',
};

export const simplifiedChineseTemplates: Translation['templates'] = {
  template: '模板',
  none: '空白',
  begin: '从模板开始',
  apply: '填充空间',
  documentation: '文档',
  apiReference: 'API 参考',
  knowledgeBase: '知识库',
  changelog: '更新日志',
};
