import '@fontsource-variable/archivo/wdth.css';
import './tokens.css';
import './base.css';
