import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { show } from '../api/preferences.ts'
import { queries } from '../api/queries.ts'
import { listenToKeys } from '../commands/commands.ts'
import { router } from './routes.tsx'
import '../ui/app.css'
import '../ui/door.css'
import '../ui/pages.css'

show()
listenToKeys()
createRoot(document.getElementById('pages')!).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
)
