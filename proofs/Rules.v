(** Equality of the formulas before and after a rule of simplification, on all
    traces: as they are, or in normal form, where constants inside operators of
    the other direction of time are gone. *)

From Shall Require Import Definitions Ways Check Normal Steps.

Definition equal_rule (f g : form) : bool := equal_always f g ||| equal_always (normal f) (normal g).

Theorem equal_rule_sound f g : equal_rule f g = true -> equiv f g.
Proof.
  unfold equal_rule. rewrite either_true. intros [E | E]; apply equal_always_sound in E; [assumption |].
  apply equiv_trans with (normal f); [apply equiv_sym, normal_is |]. apply equiv_trans with (normal g); [assumption | apply normal_is].
Qed.
