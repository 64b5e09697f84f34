import { createHash } from 'node:crypto';

/**
 * Runs before the first paint, so that neither another theme nor a dismissed announcement flashes: the only script within a page. The class `js`
 * shows what needs scripts.
 */
export const themeScript =
  "(d=>{d.classList.add('js');try{let s=localStorage,t=s.getItem('theme');if(d.dataset.toggle&&/^(light|dark|system)$/.test(t))d.dataset.theme=t=='system'?'':t;if(s.getItem('dismissed'))d.dataset.dismissed=''}catch{}})(document.documentElement)";

/** As `script-src` of a Content-Security-Policy names the script. */
export const themeScriptHash = `sha256-${createHash('sha256').update(themeScript).digest('base64')}`;
