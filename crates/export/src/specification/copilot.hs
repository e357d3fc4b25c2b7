
module Main where

import Copilot.Compile.C99 (compile)
import Language.Copilot
import Prelude (Bool (..), Double, Maybe (..), abs, negate, (*), (+), (-), (/))
import qualified Prelude as P

-- p at the previous step; false at the first
previously :: Stream Bool -> Stream Bool
previously p = [False] ++ p

-- p, n steps ago; false at the first n steps
delayed :: P.Int -> Stream Bool -> Stream Bool
delayed n p = P.replicate n False ++ p

-- p at some step so far
once :: Stream Bool -> Stream Bool
once p = held
  where
    held = p || ([False] ++ held)

-- the steps since p held, up to n + 1
stepsSince :: Int64 -> Stream Bool -> Stream Int64
stepsSince n p = count
  where
    before = [n + 1] ++ count
    count = mux p 0 (mux (before > constant n) (constant (n + 1)) (before + 1))

-- p at some of the last n steps, or now
onceWithin :: Int64 -> Stream Bool -> Stream Bool
onceWithin n p = stepsSince n p <= constant n

-- q at some step so far, and p at all steps since
since :: Stream Bool -> Stream Bool -> Stream Bool
since p q = held
  where
    held = q || (p && ([False] ++ held))

-- the dual of since
triggered :: Stream Bool -> Stream Bool -> Stream Bool
triggered p q = not (since (not p) (not q))

