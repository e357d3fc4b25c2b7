(** The operators that formulas are made of, read as statements about
    positions, and what a timing demands after the denial. *)

From Coq Require Import Arith Lia Classical.
From Shall Require Import Definitions Runs.

Definition succ (x : num) : num := match x with K c => K (c + 1) | M c => M (c + 1) end.

Lemma val_succ m x : val m (succ x) = val m x + 1.
Proof. destruct x; simpl; lia. Qed.

(** Windows. *)
Definition all := Bound (K 0) None.
Definition one_step := Bound (K 1) (Some (K 1)).
Definition within (n : num) := Bound (K 0) (Some n).
Definition exactly (n : num) := Bound n (Some n).

Definition Y (p : form) := O_ one_step p.
Definition Z (p : form) := H_ one_step p.
Definition X (p : form) := F_ one_step p.
Definition N (p : form) := G_ one_step p.

Lemma window_all m k : window m all k.
Proof. split; simpl; auto; lia. Qed.

Lemma window_exactly m n k : window m (exactly n) k <-> k = val m n.
Proof. unfold window; simpl; lia. Qed.

Lemma window_within m n k : window m (within n) k <-> k <= val m n.
Proof. unfold window; simpl; lia. Qed.

Lemma window_one m k : window m one_step k <-> k = 1.
Proof. unfold window; simpl; lia. Qed.

Section Past.
Variables (m : nat) (tr : trace).
Notation sem := (sem m tr).

Lemma sem_H p i : sem (H_ all p) i <-> forall j, j <= i -> sem p j.
Proof.
  simpl. split.
  - intros Hp j Hj. replace j with (i - (i - j)) by lia. apply Hp; [apply window_all | lia].
  - intros Hp k _ Hk. apply Hp. lia.
Qed.

Lemma sem_O p i : sem (O_ all p) i <-> exists j, j <= i /\ sem p j.
Proof.
  simpl. split.
  - intros [k [_ [Hk Hp]]]. exists (i - k). split; [lia | assumption].
  - intros [j [Hj Hp]]. exists (i - j). replace (i - (i - j)) with j by lia. repeat split; auto; try apply window_all. lia.
Qed.

Lemma sem_Y p i : sem (Y p) i <-> 1 <= i /\ sem p (i - 1).
Proof.
  simpl. split.
  - intros [k [Hw [Hk Hp]]]. apply window_one in Hw. subst. auto.
  - intros [Hi Hp]. exists 1. rewrite window_one. auto.
Qed.

Lemma sem_Z p i : sem (Z p) i <-> (1 <= i -> sem p (i - 1)).
Proof.
  simpl. split.
  - intros Hp Hi. apply Hp; [apply window_one |]; auto.
  - intros Hp k Hw Hk. apply window_one in Hw. subst. auto.
Qed.

Lemma sem_S p q i : sem (S_ all p q) i <-> exists j, j <= i /\ sem q j /\ forall k, j < k <= i -> sem p k.
Proof.
  simpl. split.
  - intros [k [_ [Hk [Hq Hp]]]]. exists (i - k). repeat split; [lia | assumption |].
    intros x Hx. replace x with (i - (i - x)) by lia. apply Hp. lia.
  - intros [j [Hj [Hq Hp]]]. exists (i - j). replace (i - (i - j)) with j by lia.
    repeat split; auto; try apply window_all; [lia |]. intros x Hx. apply Hp. lia.
Qed.

Lemma sem_O_exactly n p i : sem (O_ (exactly n) p) i <-> val m n <= i /\ sem p (i - val m n).
Proof.
  simpl. split.
  - intros [k [Hw [Hk Hp]]]. apply window_exactly in Hw. subst. auto.
  - intros [Hi Hp]. exists (val m n). rewrite window_exactly. auto.
Qed.

Lemma sem_O_within n p i : sem (O_ (within n) p) i <-> exists j, j <= i <= j + val m n /\ sem p j.
Proof.
  simpl. split.
  - intros [k [Hw [Hk Hp]]]. apply window_within in Hw. exists (i - k). split; [lia | assumption].
  - intros [j [Hj Hp]]. exists (i - j). rewrite window_within. replace (i - (i - j)) with j by lia. repeat split; auto; lia.
Qed.

Lemma sem_H_within n p i : sem (H_ (within n) p) i <-> forall j, j <= i <= j + val m n -> sem p j.
Proof.
  simpl. split.
  - intros Hp j Hj. replace j with (i - (i - j)) by lia. apply Hp; [apply window_within |]; lia.
  - intros Hp k Hw Hk. apply window_within in Hw. apply Hp. lia.
Qed.
End Past.

(** ** Demands *)

(** What is demanded of a trigger, after the denial: a timing of the response
    or of its absence, or the denial of "after n". *)
Inductive demand := Meet (w : timing) (present : bool) | Avoid (n : num).

Definition response (present : bool) : form := if present then Var RES else Not (Var RES).

Definition demanded (s : scope) (w : timing) : demand :=
  if denies s then
    match w with
    | Immediately => Meet Immediately false
    | Next => Meet Next false
    | Finally => Meet Finally false
    | Always => Meet Eventually false
    | Never => Meet Eventually true
    | Eventually => Meet Always false
    | Within n => Meet (For n) false
    | For n => Meet (Within n) false
    | AfterSteps n => Avoid n
    | Until => Meet BeforeStop false
    | BeforeStop => Meet Until false
    end
  else
    match w with
    | Never => Meet Always false
    | _ => Meet w true
    end.

(** The demand is met from t up to hi. *)
Definition granted (m : nat) (tr : trace) (d : demand) (t : nat) (hi : option nat) : Prop :=
  match d with
  | Meet w present => met m tr w (fun i => sem m tr (response present) i) t hi
  | Avoid n => denied m tr (AfterSteps n) (fun i => at_position tr i RES) t hi
  end.

Lemma granted_demanded m tr s w t hi :
  granted m tr (demanded s w) t hi <->
  if denies s then denied m tr w (fun i => at_position tr i RES) t hi
  else met m tr w (fun i => at_position tr i RES) t hi.
Proof. unfold demanded. destruct (denies s), w; simpl; reflexivity. Qed.

(** A demand never has the timing [Never]. *)
Lemma demanded_not_never s w b : demanded s w <> Meet Never b.
Proof. unfold demanded. destruct (denies s), w; discriminate. Qed.

(** ** Cores of equal sets are equal *)

Lemma run_end_ext tr (S S' : nat -> Prop) t hi :
  (forall i, inside tr i -> (S i <-> S' i)) -> run_end tr S t hi -> run_end tr S' t hi.
Proof.
  intros HS [H1 [H2 [H3 H4]]]. repeat split; auto.
  - intros i Hi Hu. apply HS; auto. destruct hi as [h|]; unfold inside.
    + simpl in Hu. destruct H4 as [-> | [H4 _]]; [assumption |]. apply (inside_le tr (h + 1)); [assumption | lia].
    + rewrite H4. exact I.
  - destruct hi as [h|]; [| assumption]. destruct H4 as [|[H4 H5]]; [auto | right]. split; [assumption |]. rewrite <- HS; assumption.
Qed.

Lemma core_ext tr (S S' Tr Tr' : nat -> Prop) d d' :
  (forall i, inside tr i -> (S i <-> S' i)) -> (forall i, inside tr i -> (Tr i <-> Tr' i)) ->
  (forall t hi, d t hi <-> d' t hi) ->
  (core tr S Tr d <-> core tr S' Tr' d').
Proof.
  intros HS HT Hd. split; intros Hc t hi Ht Hr; apply Hd, Hc.
  - apply HT; [apply Hr | assumption].
  - apply (run_end_ext tr S'); [| assumption]. intros. symmetry. auto.
  - apply HT; [apply Hr | assumption].
  - apply (run_end_ext tr S); assumption.
Qed.
