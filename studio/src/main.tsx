import './look/main.css'
import { render } from 'preact'
import { App } from './frame/app.tsx'
import { applyTheme } from './frame/theme.ts'

applyTheme()
const root = document.querySelector('#studio')
if (root !== null) render(<App />, root)
